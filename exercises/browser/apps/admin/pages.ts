import { documentPage } from '../kit/document.ts'
import { html, type Markup } from '../kit/html.ts'
import type { Carrier, ConsoleState } from './console-state.ts'

const ROOMS = [
  ['/customers', 'Customers'],
  ['/board', 'Dispatch board'],
  ['/reports', 'Reports'],
  ['/carriers', 'Carriers'],
  ['/activity', 'Activity'],
] as const

/** A page that a client module fills; `subject` tells it whose page it is. */
export function clientPage(title: string, module: string, subject = '') {
  const room = { customer: '/customers', carrier: '/carriers' }[module] ?? `/${module}`
  const main = html`<div id="app" data-subject="${subject}"><p class="skeleton">Loading…</p></div>`
  return page(title, room, main, [`${module}.js`])
}

export function carriersPage(carriers: readonly Carrier[]) {
  const main = html`<ul class="cards">${carriers.map(
    ({ id, name, city, watch }) => html`<li><a id="carrier-${id}" href="/carriers/${id}">${name}</a>
<span class="quiet">${city}</span>${watch !== null && html`<span class="tag overdue">on watch</span>`}</li>`,
  )}</ul>`
  return page('Carriers', '/carriers', main)
}

export function activityPage(activity: ConsoleState['activity']) {
  const lines = activity.map(
    ({ text, at }) =>
      html`<li><time datetime="${at}">${at.slice(11, 16)}</time> <span>${text}</span></li>`,
  )
  const main =
    lines.length === 0
      ? html`<p class="empty">Nothing has been changed today.</p>`
      : html`<ol class="log">${lines}</ol>`
  return page('Activity', '/activity', html`<div id="activity">${main}</div>`)
}

function page(title: string, room: string, main: Markup, modules: string[] = []) {
  const links = ROOMS.map(
    ([path, name]) =>
      html`<a href="${path}" ${path === room && html`aria-current="page"`}>${name}</a>`,
  )
  const body = html`<header class="side"><span class="brand">Bright<b>quay</b></span>
<nav class="rooms" aria-label="Rooms">${links}</nav></header>
<main><h1>${title}</h1>${main}</main>
<div id="toasts" role="status" aria-live="polite"></div>`
  return documentPage({
    title: `${title} · Brightquay`,
    styles: ['console.css', 'table.css', 'rooms.css'],
    modules,
    body,
  })
}
