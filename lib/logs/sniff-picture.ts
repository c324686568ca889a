export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp'

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG = [0xff, 0xd8, 0xff]
const RIFF = [0x52, 0x49, 0x46, 0x46]
const WEBP = [0x57, 0x45, 0x42, 0x50]

/** What a file is by its first bytes, whatever it is called; null = no picture of pixels. SVG is a program, so none. */
export function sniffPicture(bytes: Uint8Array): PictureType | null {
  if (begins(bytes, PNG)) return 'image/png'
  if (begins(bytes, JPEG)) return 'image/jpeg'
  return begins(bytes, RIFF) && begins(bytes.subarray(8), WEBP) ? 'image/webp' : null
}

function begins(bytes: Uint8Array, wanted: readonly number[]): boolean {
  return wanted.every((byte, place) => bytes[place] === byte)
}
