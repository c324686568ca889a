/** Markup that is safe to send: everything put into it was escaped, unless it was markup itself. */
export type Markup = { readonly markup: string }

type Part = Markup | string | number | null | undefined | false | readonly Part[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A page's words, escaped for text and for quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)
}

/** A tagged template: strings and numbers are escaped, lists joined, null and false leave nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: strings.map((text, index) => text + write(parts[index])).join('') }
}

function write(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'object') return 'markup' in part ? part.markup : part.map(write).join('')
  return escapeHtml(String(part))
}

/** Data for a client module: `JSON.parse(document.getElementById(id).textContent)`. */
export function jsonScript(id: string, data: unknown): Markup {
  const text = JSON.stringify(data).replace(/</g, '\\u003c')
  return html`<script type="application/json" id="${id}">${{ markup: text }}</script>`
}
