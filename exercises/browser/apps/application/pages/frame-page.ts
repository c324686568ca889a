import { documentPage } from '../../kit/document.ts'
import { html, type Markup } from '../../kit/html.ts'

/** A page of the fund, with its head and foot. */
export function framePage(title: string, main: Markup, options: { status?: number } = {}) {
  const body = html`<header class="top"><a class="brand" href="/">Northlight <span>Fund</span></a>
<span class="who">Mira Solberg</span></header>
<main><h1>${title}</h1>
${main}</main>
<footer>Northlight Fund · grants@northlight.example</footer>`
  return documentPage(
    {
      title: `${title} · Northlight Fund`,
      styles: ['grants.css', 'form.css'],
      modules: ['form.js'],
      body,
    },
    options,
  )
}
