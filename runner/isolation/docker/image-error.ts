/** An image that could not be made, with what to do: told in one line. */
export class ImageError extends Error {}
