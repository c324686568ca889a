import type { RefEntry } from './find-ref.ts'

const ENTRY = /\[(ref_\w+|@e\w+)\] (\w+)(?:: | )"((?:[^"\\]|\\.)*)"/

/** The entries of OpenChrome's accessibility mode, as documented: `[ref_5] button: "Save"`. It tells no frames. */
export function parseOpenchromePage(text: string): RefEntry[] {
  return text.split('\n').flatMap((line) => {
    const [, ref = '', role, name] = ENTRY.exec(line) ?? []
    if (role === undefined) return []
    const is = (wanted: string, named: string) => role === wanted && name === named
    return [{ ref, inFrame: false, is }]
  })
}
