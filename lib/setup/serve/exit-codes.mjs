// @ts-check
/** Exit code of a server that only a person can fix: it is not started again (EX_CONFIG of sysexits.h). */
export const NEEDS_PERSON = 78
