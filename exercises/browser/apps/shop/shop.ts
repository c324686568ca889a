import type { App } from '../app.ts'
import { documentPage } from '../kit/document.ts'
import { textField } from '../kit/field.ts'
import { html } from '../kit/html.ts'
import { json, redirect } from '../kit/respond.ts'
import { route } from '../kit/route.ts'
import { findSession, openSession, type Sessions } from '../kit/sessions.ts'

type State = { sessions: Sessions<{ email: string }>; newsletter: string[]; stock: number }

export const shop: App<State> = {
  name: 'shop',
  seed: (draw) => ({ sessions: new Map(), newsletter: [], stock: Math.floor(draw() * 1e6) }),
  handle: route<State>({
    'GET /': () => documentPage({ title: 'Shop', body: html`<main><h1>Shop</h1></main>` }),
    'GET /account': (state, request) =>
      findSession(state.sessions, request) ? json({}) : redirect('/sign-in'),
    'POST /sign-in': (state, request, { draw }) =>
      redirect(
        '/account',
        openSession(state.sessions, { email: textField(request, 'email') }, draw),
      ),
    'POST /newsletter': (state, request) => {
      state.newsletter.push(textField(request, 'email'))
      return redirect('/')
    },
  }),
  expose: ({ newsletter, stock }) => ({ newsletter, stock }),
  expireSessions: ({ sessions }) => sessions.clear(),
}
