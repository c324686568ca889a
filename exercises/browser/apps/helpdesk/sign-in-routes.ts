import { documentPage } from '../kit/document.ts'
import { textField } from '../kit/field.ts'
import { html, type Markup } from '../kit/html.ts'
import { redirect } from '../kit/respond.ts'
import type { Routes } from '../kit/route.ts'
import { closeSession, findSession, openSession } from '../kit/sessions.ts'
import type { DeskState } from './desk-state.ts'
import { readNext } from './signed-in.ts'

/** Two steps: e-mail address and password, then the workspace. */
export const signInRoutes: Routes<DeskState> = {
  'GET /signin': (_state, { query }) => signInPage(readNext(query.get('next')), '', null),
  'POST /signin': (state, request, { draw }) => {
    const next = readNext(textField(request, 'next'))
    const email = textField(request, 'email')
    const agent = state.agents.find((one) => one.email === email.toLowerCase())
    if (agent === undefined || agent.password !== textField(request, 'password'))
      return signInPage(next, email, 'The e-mail address or the password is not right.')
    const cookie = openSession(state.sessions, { agent: agent.id, workspace: null }, draw)
    return redirect(`/signin/workspace?next=${encodeURIComponent(next)}`, cookie)
  },
  'GET /signin/workspace': (state, request) => {
    const session = findSession(state.sessions, request)
    const next = readNext(request.query.get('next'))
    return session === undefined ? toSignIn(next) : workspacePage(state, next, null)
  },
  'POST /signin/workspace': (state, request) => {
    const session = findSession(state.sessions, request)
    const next = readNext(textField(request, 'next'))
    if (session === undefined) return toSignIn(next)
    const chosen = state.workspaces.find(({ id }) => id === textField(request, 'workspace'))
    if (chosen === undefined) return workspacePage(state, next, 'Choose a workspace.')
    session.workspace = chosen.id
    return redirect(next)
  },
  'POST /signout': (state, request) => {
    closeSession(state.sessions, request)
    return redirect('/signin')
  },
}

function toSignIn(next: string) {
  return redirect(`/signin?next=${encodeURIComponent(next)}`)
}

function signInPage(next: string, email: string, mistake: string | null) {
  return page(
    'Sign in',
    mistake,
    html`<form method="post" action="/signin" class="stack" novalidate>
<h1>Sign in to Relay</h1>
${alert(mistake)}
<input type="hidden" name="next" value="${next}">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" value="${email}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password">
<button id="sign-in" class="primary">Sign in</button>
<p class="quiet">Forgot your password? Ask your administrator.</p>
</form>`,
  )
}

function workspacePage({ workspaces }: DeskState, next: string, mistake: string | null) {
  const choices = workspaces.map(
    ({ id, name, detail }) =>
      html`<div class="choice"><input type="radio" id="workspace-${id}" name="workspace" value="${id}" aria-describedby="about-${id}">
<div><label for="workspace-${id}">${name}</label><small id="about-${id}">${detail}</small></div></div>`,
  )
  return page(
    'Choose a workspace',
    mistake,
    html`<form method="post" action="/signin/workspace" class="stack">
<h1>Choose a workspace</h1>
${alert(mistake)}
<input type="hidden" name="next" value="${next}">
<fieldset><legend>You belong to these</legend>${choices}</fieldset>
<button id="continue" class="primary">Continue</button>
</form>`,
  )
}

function alert(mistake: string | null) {
  return mistake !== null && html`<p class="alert" role="alert">${mistake}</p>`
}

function page(title: string, mistake: string | null, body: Markup) {
  return documentPage(
    {
      title: `${title} · Relay`,
      styles: ['helpdesk.css', 'lists.css', 'ticket.css', 'narrow.css'],
      bodyClass: 'door',
      body: html`<main><p class="brand"><span aria-hidden="true">R</span> Relay</p>${body}</main>`,
    },
    { status: mistake === null ? 200 : 422 },
  )
}
