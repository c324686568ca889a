import type { RefEntry } from './find-ref.ts'

/** Chromium's own names of roles that ARIA calls otherwise. */
const OWN_ROLES: Readonly<Record<string, readonly string[]>> = {
  textbox: ['Date', 'DateTime', 'InputTime'],
  button: ['DisclosureTriangle', 'ColorWell'],
  img: ['image'],
  cell: ['gridcell'],
  iframe: ['Iframe'],
}

/**
 * The entries of a chrome-devtools-mcp snapshot: `uid=1_16 button "Save" focused`. Quotes inside a name are not escaped
 * there, so a line is compared with what is looked for instead of being taken apart.
 */
export function parseDevtoolsSnapshot(text: string): RefEntry[] {
  let frameDepth: number | null = null
  return text.split('\n').flatMap((line) => {
    const found = /^( *)uid=(\S+) (.*)$/.exec(line)
    if (found === null) return []
    const [, indent = '', ref = '', rest = ''] = found
    if (frameDepth !== null && indent.length <= frameDepth) frameDepth = null
    const inFrame = frameDepth !== null
    if (frameDepth === null && rest.startsWith('Iframe')) frameDepth = indent.length
    return [{ ref, inFrame, is: (role: string, name: string) => fits(rest, role, name) }]
  })
}

function fits(rest: string, role: string, name: string): boolean {
  return [role, ...(OWN_ROLES[role] ?? [])].some((one) => {
    const start = name === '' ? one : `${one} "${name}"`
    return rest === start || rest.startsWith(`${start} `)
  })
}
