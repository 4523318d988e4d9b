import { defineGroup } from '../../define/define-command.ts';
import { answersExportCommand } from './answers-export.ts';
import { answersImportCommand } from './answers-import.ts';
import { answersListCommand } from './answers-list.ts';
import { answersShowCommand } from './answers-show.ts';
import { answersRemoveCommand } from './answers-remove.ts';
import { redetectCommand } from './redetect.ts';

export const answersCommand = defineGroup({
  name: 'answers',
  summary: 'import, list, show, export and remove answers; judge them again',
  description:
    'Answers: what engines said to prompts. Detections (who was cited), daily scores and actions are derived from them.',
  commands: [
    answersImportCommand,
    redetectCommand,
    answersListCommand,
    answersShowCommand,
    answersExportCommand,
    answersRemoveCommand,
  ],
});
