import { createHash } from 'node:crypto'

type Page = { html: string; policy: string }

/**
 * A page that many readers get may not name a nonce, since each of them could read it: its inline scripts and styles are
 * allowed by their hashes instead, and files of this server by `'self'`. Null = the page has no nonce to replace or a
 * script that its nonce does not allow, or the list would be longer than `longest`: too long for a header.
 */
export function hashPolicy({ html, policy }: Page, longest = LONGEST_HEADER): Page | null {
  const nonce = nonceOf(policy)
  if (nonce === null || !isAllOurs(html, nonce)) return null
  const bare = joinScripts(html.replaceAll(nonce, ''))
  const scripts = hashesOf(bare, 'script')
  const styles = hashesOf(bare, 'style')
  const directives = policy.split('; ').map((directive) => {
    if (directive.startsWith('script-src ')) return ["script-src 'self'", ...scripts].join(' ')
    if (directive.startsWith('style-src ')) return ["style-src 'self'", ...styles].join(' ')
    return directive
  })
  const hashed = directives.join('; ')
  return hashed.length <= longest ? { html: bare, policy: hashed } : null
}

/** The nonce that a policy names; null = none. */
export function nonceOf(policy: string): string | null {
  return /'nonce-([^']+)'/.exec(policy)?.[1] ?? null
}

/** Hashes would allow whatever stands in the page, also what had been brought into it. */
function isAllOurs(html: string, nonce: string): boolean {
  const tags = html.match(/<(?:script|style)\b[^>]*>/gi) ?? []
  return tags.every((tag) => tag.includes(` nonce="${nonce}"`))
}

/** Servers before us may refuse headers of 8 kB. */
const LONGEST_HEADER = 6000

const INLINE = '<script nonce="">'

/** Inline scripts that follow each other become one: a page streams its data in dozens of them. */
function joinScripts(html: string): string {
  const [head = '', ...parts] = html.split('</script>')
  return parts.reduce((joined, part, index) => {
    const before = index === 0 ? head : (parts[index - 1] ?? '')
    // A script with a source ignores its content, so nothing may be joined to it.
    const isInline = before.slice(before.lastIndexOf('<script')).startsWith(INLINE)
    return isInline && part.startsWith(INLINE)
      ? `${joined}\n;${part.slice(INLINE.length)}`
      : `${joined}</script>${part}`
  }, head)
}

function hashesOf(html: string, tag: 'script' | 'style'): Set<string> {
  const elements = html.matchAll(new RegExp(`<${tag}([^>]*)>([\\s\\S]*?)</${tag}>`, 'g'))
  const inline = [...elements].filter(([, attributes = '']) => !/\ssrc=/.test(attributes))
  return new Set(inline.map(([, , text = '']) => hashOf(text)))
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
