import type { RefEntry } from './find-ref.ts'
import { markFrames } from './mark-frames.ts'

/** Chromium's own names of roles that ARIA calls otherwise. */
const OWN_ROLES: Readonly<Record<string, readonly string[]>> = {
  textbox: ['Date', 'DateTime', 'InputTime'],
  button: ['DisclosureTriangle', 'ColorWell'],
  img: ['image'],
  cell: ['gridcell'],
}

/**
 * The entries of a chrome-devtools-mcp snapshot: `uid=1_16 button "Save" focused`. Quotes inside a name are not escaped
 * there, so a line is compared with what is looked for instead of being taken apart.
 */
export function parseDevtoolsSnapshot(text: string): RefEntry[] {
  const lines = markFrames(text, /^ *uid=\S+ Iframe\b/)
  return lines.flatMap(({ line, inFrame }) => {
    const found = /^ *uid=(\S+) (.*)$/.exec(line)
    if (found === null) return []
    const [, ref = '', rest = ''] = found
    return [{ ref, inFrame, is: (role, name) => fits(rest, role, name) }]
  })
}

function fits(rest: string, role: string, name: string): boolean {
  return [role, ...(OWN_ROLES[role] ?? [])].some((one) => {
    const start = name === '' ? one : `${one} "${name}"`
    return rest === start || rest.startsWith(`${start} `)
  })
}
