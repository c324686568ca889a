import type { AppRequest } from '../app.ts'
import { documentPage } from '../kit/document.ts'
import { html, jsonScript } from '../kit/html.ts'
import { redirect } from '../kit/respond.ts'
import type { Routes } from '../kit/route.ts'
import type { DeskState } from './desk-state.ts'
import { findSignedIn, type SignedIn } from './signed-in.ts'

type View = { title: string; heading: string; module: string; nav: string }

const settings = { heading: 'Settings', nav: 'settings' }
const VIEWS: Readonly<Record<string, View>> = {
  'GET /inbox': { title: 'Inbox', heading: 'Inbox', module: 'inbox.js', nav: 'inbox' },
  'GET /reports': { title: 'Reports', heading: 'Reports', module: 'reports.js', nav: 'reports' },
  'GET /settings/profile': { ...settings, title: 'Profile', module: 'profile.js' },
  'GET /settings/notifications': {
    ...settings,
    title: 'Notifications',
    module: 'notifications.js',
  },
}

/** Pages are a frame with the navigation; what is in it the browser draws from `/api`. */
export const pageRoutes: Routes<DeskState> = {
  'GET /': () => redirect('/inbox'),
  'GET /settings': () => redirect('/settings/profile'),
  ...Object.fromEntries(
    Object.entries(VIEWS).map(([pattern, view]) => [
      pattern,
      (state: DeskState, request: AppRequest) => shell(state, request, view, {}),
    ]),
  ),
  'GET /tickets/:id': (state, request, _tools, { id = '' }) => {
    const ticket = state.tickets.find((one) => String(one.id) === id)
    const title = `Ticket #${id}`
    const heading = ticket === undefined ? 'There is no such ticket' : title
    return shell(state, request, { title, heading, module: 'ticket.js', nav: 'inbox' }, { id })
  },
}

function shell(state: DeskState, request: AppRequest, view: View, data: object) {
  const who = findSignedIn(state, request)
  const query = request.query.toString()
  const here = `${request.path}${query === '' ? '' : `?${query}`}`
  if (who === null) return redirect(`/signin?next=${encodeURIComponent(here)}`)
  return documentPage({
    title: `${view.title} · Relay`,
    styles: ['helpdesk.css', 'lists.css', 'ticket.css', 'narrow.css'],
    modules: [view.module],
    body: html`${header(who, view.nav)}
<main><h1 id="heading">${view.heading}</h1><div id="view"><p class="loading" role="status">Loading…</p></div></main>
<div id="toasts"></div>
${jsonScript('page-data', data)}`,
  })
}

function header({ workspace, settings }: SignedIn, current: string) {
  const links = [
    ['inbox', '/inbox', 'Inbox'],
    ['reports', '/reports', 'Reports'],
    ['settings', '/settings/profile', 'Settings'],
  ]
  return html`<header>
<p class="brand"><span aria-hidden="true">R</span> Relay <small>${workspace.name}</small></p>
<nav aria-label="Main">${links.map(
    ([id, href, name]) =>
      html`<a id="nav-${id}" href="${href}"${id === current && html` aria-current="page"`}>${name}</a>`,
  )}</nav>
<form method="post" action="/signout"><span class="who">${settings.profile.displayName}</span><button id="sign-out">Sign out</button></form>
</header>`
}
