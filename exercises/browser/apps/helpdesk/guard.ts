import type { AppRequest, AppResponse, AppTools } from '../app.ts'
import { json } from '../kit/respond.ts'
import type { Params, Routes } from '../kit/route.ts'
import type { DeskState } from './desk-state.ts'
import { findSignedIn, type SignedIn } from './signed-in.ts'

export type Asked = {
  state: DeskState
  request: AppRequest
  tools: AppTools
  params: Params
  who: SignedIn
}

/** Answers only those who are signed in. */
export function signedIn(answer: (asked: Asked) => AppResponse): Routes<DeskState>[string] {
  return (state, request, tools, params) => {
    const who = findSignedIn(state, request)
    if (who === null) return json({ message: 'Please sign in again.' }, { status: 401 })
    return answer({ state, request, tools, params, who })
  }
}
