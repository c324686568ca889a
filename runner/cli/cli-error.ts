/** Something the caller can mend: told in one line, exit code 2. */
export class UsageError extends Error {}

/** Something of this machine stands in the way (full disk, folder in use): told in one line, exit code 1. */
export class PlaceError extends Error {}
