import { escapeMarkup, nameCharacter } from '#lib/domain/record/index.ts'

/** Markup that may be in a page unescaped; everything else is text. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Markup | string | number | null | false | readonly Part[]

/** Markup with values in it: whatever is not markup itself is escaped, so that no result can add a tag or a script. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.map((text, index) => text + asMarkup(parts[index] ?? null)).join(''))
}

function asMarkup(part: Part): string {
  if (part === null || part === false) return ''
  if (part instanceof Markup) return part.text
  if (typeof part === 'object') return part.map(asMarkup).join('')
  return escapeText(String(part))
}

/** Line breaks and tabs stay; what would hide or reorder text becomes visible. */
function escapeText(text: string): string {
  const visible = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (char) =>
    '\n\t'.includes(char) ? char : nameCharacter(char),
  )
  return escapeMarkup(visible)
}

/** A table; the first row is its head. */
export function table([head = [], ...rows]: readonly (readonly Part[])[]): Markup {
  const lines = rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)
  return html`<div class="wide"><table><thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead><tbody>${lines}</tbody></table></div>`
}

/** Names and values; a value that is not known is left out. */
export function facts(pairs: readonly (readonly [string, Part])[]): Markup {
  const known = pairs.filter(([, value]) => value !== null && value !== '')
  return html`<dl>${known.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}

/** A whole page that loads nothing. */
export function page(title: string, trail: Part, body: Part): string {
  return html`${new Markup('<!doctype html>')}
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title} · Proofboard</title><style>${new Markup(STYLE)}</style></head>
<body><header><a href="/">Proofboard</a> ${trail}</header><main><h1>${title}</h1>${body}</main>
<footer>Shown from files on this machine. Registration of plans and evaluation of solutions by another machine were not checked.</footer></body></html>
`.text
}

export const STYLE = `
:root{color-scheme:light dark;--line:#8884;--muted:#777;--good:#0a6a62;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--good:#4fc3b5;--bad:#ff8a80;--muted:#aaa}}
body{font:15px/1.5 Inter,system-ui,sans-serif;max-width:72rem;margin:0 auto;padding:0 1rem 3rem}
header,footer{padding:.8rem 0;color:var(--muted);border-bottom:1px solid var(--line)}footer{border:0;margin-top:3rem}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}a{color:inherit}
.wide{overflow-x:auto}table{border-collapse:collapse;min-width:100%}
th,td{text-align:left;padding:.35rem .7rem .35rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{color:var(--muted);font-weight:500}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.2rem}dt{color:var(--muted)}dd{margin:0;overflow-wrap:anywhere}
pre{overflow-x:auto;padding:.7rem;border:1px solid var(--line);border-radius:4px;font:13px/1.45 "JetBrains Mono",ui-monospace,monospace;max-height:40rem}
code{font:13px ui-monospace,monospace}
.solved,.pass,.add{color:var(--good)}.failed,.fail,.del{color:var(--bad)}.muted,.void{color:var(--muted)}
ul.tree{list-style:none;padding-left:1.1rem}summary{cursor:pointer}
`
