import { setTimeout as sleep } from 'node:timers/promises'
import type { App, AppRequest, AppResponse, AppTools } from '../app.ts'
import { json, NOT_FOUND, redirect } from '../kit/respond.ts'
import { type Params, route } from '../kit/route.ts'
import {
  attachPlan,
  findGaps,
  saveFields,
  startApplication,
  submitApplication,
} from './change-application.ts'
import { checkStep, type Problems } from './check-step.ts'
import { exposeGrants } from './expose-grants.ts'
import { type Application, type GrantState, STEPS, type Step } from './grant-state.ts'
import { homePage } from './pages/home-page.ts'
import { receiptPage } from './pages/receipt-page.ts'
import { reviewPage } from './pages/review-page.ts'
import { stepPage } from './pages/step-page.ts'
import { termsText } from './pages/terms-text.ts'
import { suggest } from './registers.ts'
import { seedGrants } from './seed-grants.ts'

type Answer = (
  application: Application,
  request: AppRequest,
  tools: AppTools,
  params: Params,
) => AppResponse

/** The Northlight Fund: an application in six steps that saves itself, can come back, and is handed in once. */
export const applicationApp: App<GrantState> = {
  name: 'application',
  seed: seedGrants,
  handle: route<GrantState>({
    'GET /': ({ applications }) => homePage(applications),
    'POST /applications': (state) => {
      const application = startApplication(state)
      if (application === null)
        return homePage(state.applications, 'You have too many drafts: delete one first.')
      return redirect(`/applications/${application.id}/applicant`)
    },
    'GET /api/suggest/:register': async (_state, { query }, _tools, { register = '' }) => {
      await sleep(220)
      return json({ suggestions: suggest(register, query.get('q') ?? '') })
    },
    'GET /terms': () => termsText(),
    'POST /applications/:id/delete': (state, _request, _tools, { id }) => {
      state.applications = state.applications.filter(
        (one) => one.id !== id || one.state !== 'draft',
      )
      return redirect('/')
    },
    'GET /applications/:id/receipt': onOne((application) =>
      application.state === 'submitted'
        ? receiptPage(application)
        : redirect(`/applications/${application.id}/review`),
    ),
    'GET /applications/:id/review': onOpen((application) => reviewPage(application, [])),
    'POST /applications/:id/submit': (state, request, tools, params) =>
      onOpen((application) => submit(state, application, request, tools.now()))(
        state,
        request,
        tools,
        params,
      ),
    'PUT /applications/:id/draft/:step': onOpen((application, { body }, { now }, { step }) => {
      const known = STEPS.find((one) => one === step)
      if (known === undefined) return NOT_FOUND
      saveFields(application, known, body, now())
      return json({ savedAt: application.savedAt })
    }),
    'PUT /applications/:id/terms': onOpen((application, { body }) => {
      application.hasAcceptedTerms = body.accepted === true
      return json({ accepted: application.hasAcceptedTerms })
    }),
    'GET /applications/:id/:step': onOpen((application, _request, _tools, { step }) => {
      const known = STEPS.find((one) => one === step)
      return known === undefined ? NOT_FOUND : stepPage(application, known, {})
    }),
    'POST /applications/:id/:step': onOpen((application, request, { now }, { step }) => {
      const known = STEPS.find((one) => one === step)
      return known === undefined ? NOT_FOUND : finishStep(application, known, request, now())
    }),
  }),
  expose: exposeGrants,
}

function onOne(answer: Answer) {
  return ({ applications }: GrantState, request: AppRequest, tools: AppTools, params: Params) => {
    const application = applications.find(({ id }) => id === params.id)
    return application === undefined ? NOT_FOUND : answer(application, request, tools, params)
  }
}

/** For what only an application that is not handed in allows; the others show their receipt. */
function onOpen(answer: Answer) {
  return onOne((application, request, tools, params) => {
    if (application.state !== 'submitted') return answer(application, request, tools, params)
    return request.method === 'PUT'
      ? json({ message: 'handed in already' }, { status: 409 })
      : redirect(`/applications/${application.id}/receipt`)
  })
}

function finishStep(application: Application, step: Step, { body, files }: AppRequest, now: Date) {
  saveFields(application, step, body, now)
  const refused = step === 'documents' ? attachPlan(application, files, now) : null
  const problems: Problems =
    refused === null ? checkStep(step, application, now) : { document: refused }
  if (Object.keys(problems).length > 0) return stepPage(application, step, problems)
  const next = STEPS[STEPS.indexOf(step) + 1] ?? 'review'
  return redirect(`/applications/${application.id}/${next}`)
}

function submit(state: GrantState, application: Application, { body }: AppRequest, now: Date) {
  const gaps = findGaps(application, now)
  if (gaps.length > 0) return reviewPage(application, gaps)
  if (body.declared !== 'yes') return reviewPage(application, [], 'Tick the declaration first.')
  submitApplication(state, application, now)
  return redirect(`/applications/${application.id}/receipt`)
}
