import type { AppRequest, AppResponse, AppTools } from '../app.ts'
import { redirect } from '../kit/respond.ts'
import type { Params } from '../kit/route.ts'
import { findSession, openSession } from '../kit/sessions.ts'
import type { Basket, ShopState, Visit } from './shop-state.ts'

/** Everything a page needs to answer. */
export type Call = { state: ShopState; request: AppRequest; tools: AppTools; params: Params }
type Handler = (
  state: ShopState,
  request: AppRequest,
  tools: AppTools,
  params: Params,
) => AppResponse

/** A page that anybody may see. */
export function forAll(answer: (call: Call, visit: Visit | undefined) => AppResponse): Handler {
  return (state, request, tools, params) =>
    answer({ state, request, tools, params }, findSession(state.sessions, request))
}

/** A page of the signed-in account's; anybody else is asked to sign in first. */
export function forAccounts(answer: (call: Call, visit: SignedIn) => AppResponse): Handler {
  return forAll((call, visit) => {
    const { account } = visit ?? {}
    if (visit && account) return answer(call, { ...visit, account })
    const { method, path } = call.request
    return redirect(`/sign-in?next=${encodeURIComponent(method === 'GET' ? path : '/account')}`)
  })
}
export type SignedIn = Visit & { account: NonNullable<Visit['account']> }

export function basketOf({ baskets }: ShopState, visit: Visit | undefined): Basket {
  return (visit && baskets.get(visit.owner)) ?? emptyBasket()
}

/** The visitor's basket to change; opens a guest's session where there is none yet. */
export function holdBasket({ state, tools }: Call, visit: Visit | undefined) {
  const owner = visit?.owner ?? `guest-${state.baskets.size + 1}`
  const headers = visit ? {} : openSession(state.sessions, { owner, account: null }, tools.draw)
  const basket = state.baskets.get(owner) ?? emptyBasket()
  state.baskets.set(owner, basket)
  return { basket, headers }
}

function emptyBasket(): Basket {
  return { lines: [], coupon: null, email: '', address: null, delivery: null }
}
