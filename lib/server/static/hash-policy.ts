import { createHash } from 'node:crypto'

type Page = { html: string; policy: string }

/**
 * A file that many readers get may not name a nonce, since each of them could read it: its inline scripts and styles are
 * allowed by their hashes instead, and files of the site by `'self'`. Null = the page has no nonce to replace, or a script
 * that its nonce does not allow.
 */
export function hashPolicy({ html, policy }: Page): Page | null {
  const nonce = nonceOf(policy)
  if (nonce === null || !isAllOurs(html, nonce)) return null
  const bare = html.replaceAll(nonce, '')
  const scripts = hashesOf(bare, 'script')
  const styles = hashesOf(bare, 'style')
  const directives = policy.split('; ').map((directive) => {
    if (directive.startsWith('script-src ')) return ["script-src 'self'", ...scripts].join(' ')
    if (directive.startsWith('style-src ')) return ["style-src 'self'", ...styles].join(' ')
    return directive
  })
  return { html: bare, policy: directives.join('; ') }
}

/** The nonce that a policy names; null = none. */
function nonceOf(policy: string): string | null {
  return /'nonce-([^']+)'/.exec(policy)?.[1] ?? null
}

/** Hashes would allow whatever stands in the page, also what had been brought into it. */
function isAllOurs(html: string, nonce: string): boolean {
  const tags = html.match(/<(?:script|style)\b[^>]*>/gi) ?? []
  return tags.every((tag) => tag.includes(` nonce="${nonce}"`))
}

function hashesOf(html: string, tag: 'script' | 'style'): Set<string> {
  const elements = html.matchAll(new RegExp(`<${tag}([^>]*)>([\\s\\S]*?)</${tag}>`, 'g'))
  const inline = [...elements].filter(([, attributes = '']) => !/\ssrc=/.test(attributes))
  return new Set(inline.map(([, , text = '']) => hashOf(text)))
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
