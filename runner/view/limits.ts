/** Bytes of one file that a page shows; the whole file is a link away. */
export const LONGEST_SHOWN = 512 << 10
/** Bytes of one file that are sent at all. */
export const LONGEST_SENT = 256 << 20
