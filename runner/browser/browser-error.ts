/** Something about the browser that its owner can mend: told in one sentence, exit code 2. */
export class BrowserError extends Error {}
