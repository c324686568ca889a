import type { AppResponse } from '../app.ts'
import { documentPage } from '../kit/document.ts'
import { html, type Markup } from '../kit/html.ts'
import { CATEGORIES, type Visit } from './shop-state.ts'
import { basketOf, type Call } from './visit.ts'

/** Notices by their key in `?notice=`; the toast says them once. */
const NOTICES: Readonly<Record<string, string>> = {
  added: 'Added to your cart',
  updated: 'Your cart is up to date',
  removed: 'Removed from your cart',
  coupon: 'Coupon applied',
  saved: 'Saved to your wish list',
  unsaved: 'Removed from your wish list',
  alert: 'We will write to you when it is back',
  welcome: 'You are signed in',
  bye: 'You are signed out',
  newsletter: 'Thank you for subscribing',
  cancelled: 'The order is cancelled',
}

type Page = { title: string; main: Markup; modules?: readonly string[]; status?: number }

/** A page of the shop, with its header and footer. */
export function shopPage(call: Call, visit: Visit | undefined, page: Page): AppResponse {
  const count = basketOf(call.state, visit).lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const notice = NOTICES[call.request.query.get('notice') ?? '']
  const body = html`<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="brand" href="/">Harbour &amp; Pine</a>
<form class="search" action="/search" role="search" autocomplete="off">
<input id="search" name="q" type="text" role="combobox" aria-label="Search products" aria-expanded="false" aria-controls="suggestions" aria-autocomplete="list" placeholder="Search" value="${call.request.query.get('q') ?? ''}">
<button id="search-go">Search</button>
<ul id="suggestions" role="listbox" aria-label="Suggestions" hidden></ul>
</form>
<nav class="tools" aria-label="Your shop">
${visit?.account ? html`<a id="to-account" href="/account">Account</a>` : html`<a id="to-sign-in" href="/sign-in">Sign in</a>`}
<a id="to-wish-list" href="/wish-list">Wish list</a>
<a id="to-cart" href="/cart" aria-label="Cart">Cart<span class="badge" aria-hidden="true">${count}</span></a>
</nav>
<nav class="categories" aria-label="Categories">${Object.entries(CATEGORIES).map(
    ([id, title]) => html`<a id="category-${id}" href="/categories/${id}">${title}</a>`,
  )}</nav>
</header>
<div id="toasts" role="status">${notice && html`<p class="toast">${notice}</p>`}</div>
<main id="content">${page.main}</main>
<footer>
<form method="post" action="/newsletter" class="newsletter">
<label for="newsletter-email">News, twice a season</label>
<input id="newsletter-email" name="email" type="email" aria-label="Email for the newsletter" placeholder="you@example.com" required>
<button id="newsletter-go">Subscribe</button>
</form>
<p>Free standard delivery from €150. Returns within 60 days.</p>
</footer>`
  return documentPage(
    {
      title: `${page.title} · Harbour & Pine`,
      body,
      styles: ['controls.css', 'shop.css', 'parts.css'],
      modules: ['shop.js', ...(page.modules ?? [])],
    },
    { status: page.status ?? 200 },
  )
}

/** A form's field with its label, and what is wrong with it. */
export function field(options: {
  id: string
  label: string
  value?: string
  type?: string
  autocomplete?: string
  error?: string | undefined
  hint?: string
}): Markup {
  const { id, label, value = '', type = 'text', autocomplete = 'off', error, hint } = options
  return html`<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${id}" type="${type}" value="${value}" autocomplete="${autocomplete}"${error && html` aria-invalid="true" aria-describedby="${id}-error"`}>
${hint && html`<p class="hint">${hint}</p>`}${error && html`<p class="error" id="${id}-error">${error}</p>`}</div>`
}

export function notFoundPage(call: Call, visit: Visit | undefined): AppResponse {
  const main = html`<h1>We cannot find that</h1><p>It may be sold or renamed. <a href="/">Back to the shop</a></p>`
  return shopPage(call, visit, { title: 'Not found', main, status: 404 })
}
