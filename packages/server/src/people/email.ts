/** Text as a person types an address; no mail is sent, so only its form is checked. */
const form = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u;
const lengthMax = 254;

/** An e-mail address without the space around it; undefined for text that isn't one. */
export function parseEmail(text: string): string | undefined {
  const email = text.normalize('NFC').trim();
  return email.length <= lengthMax && email.isWellFormed() && form.test(email) ? email : undefined;
}

/** What two spellings of one address have in common. */
export function foldEmail(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
}
