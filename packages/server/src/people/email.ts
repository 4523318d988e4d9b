/** The form of an e-mail address. Only the form is checked, because no mail is sent. */
const form = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u;
const lengthMax = 254;

/** An e-mail address without the space around it; undefined for text that isn't one. */
export function parseEmail(text: string): string | undefined {
  const email = text.normalize('NFC').trim();
  return email.length <= lengthMax && email.isWellFormed() && form.test(email) ? email : undefined;
}

/** The normal form of an address, equal for two spellings of it. */
export function foldEmail(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
}
