import { testLooks } from './page-look.ts';

testLooks('answers');
