import { escapeMarkup, unescapeMarkup } from '#lib/domain/text/index.ts'
import { baseOf } from './addresses.ts'

/** React escapes quotes in texts, so this matches only in tags. */
const LINK = /(<(?:a|form|img|link)\b[^>]*?) (href|src|action)="(\/[^"]*)"/g

/** Addresses that only a server answers. Their links are hidden; those of other pages become text. */
const NEEDS_SERVER = /^\/(api\/|plan|compare|history|admin|feed)/

/**
 * Makes the links of rendered markup relative. `find` returns the file of an address with its query or anchor. If it
 * returns null, the link leads to the original site; without one it becomes text, or is hidden if it would only act.
 */
export function linkPages(
  markup: string,
  file: string,
  find: (address: string) => string | null,
  original: string | null,
): string {
  const base = baseOf(file)
  return markup.replace(LINK, (_, tag: string, name: string, escaped: string) => {
    const address = unescapeMarkup(escaped)
    const found = find(address)
    if (found !== null) return `${tag} ${name}="${base}${escapeMarkup(found)}"`
    if (original !== null && name === 'href')
      return `${tag} href="${escapeMarkup(original + address)}"`
    return `${tag} data-${NEEDS_SERVER.test(address) ? 'needs-server' : 'no-page'}=""`
  })
}
