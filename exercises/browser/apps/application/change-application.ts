import { createHash } from 'node:crypto'
import type { AppRequest } from '../app.ts'
import { checkStep, type Problems } from './check-step.ts'
import {
  type Application,
  createApplication,
  fieldsOf,
  type GrantState,
  STEPS,
  type Step,
} from './grant-state.ts'

const MOST_DRAFTS = 20
const MOST_BYTES = 1_000_000

/** A new draft; null = there are too many already. */
export function startApplication(state: GrantState): Application | null {
  const drafts = state.applications.filter((one) => one.state === 'draft')
  if (drafts.length >= MOST_DRAFTS) return null
  const application = createApplication(`A-${state.started}`)
  state.started += 1
  state.applications.push(application)
  return application
}

/** Keeps what was typed, valid or not. A field that does not belong to the step is left alone. */
export function saveFields(
  application: Application,
  step: Step,
  body: AppRequest['body'],
  now: Date,
) {
  for (const field of fieldsOf(step)) {
    const value = body[field]
    if (typeof value === 'string')
      application.fields[field] = value.trim().replace(/\s+/g, ' ').slice(0, 1000)
  }
  application.savedAt = now.toISOString()
}

/** Keeps an attached plan; the sentence says what is wrong with it. */
export function attachPlan(
  application: Application,
  files: AppRequest['files'],
  now: Date,
): string | null {
  const file = files.find(({ field }) => field === 'document')
  if (file === undefined || file.name === '')
    return application.document === null ? 'Attach your project plan.' : null
  if (!/\.(pdf|txt|md)$/i.test(file.name)) return 'Attach the plan as PDF or text.'
  if (file.bytes.length === 0) return 'This file is empty.'
  if (file.bytes.length > MOST_BYTES) return 'This file is larger than 1 MB.'
  const digest = `sha256:${createHash('sha256').update(file.bytes).digest('hex')}`
  application.document = { name: file.name.slice(-120), size: file.bytes.length, digest }
  application.savedAt = now.toISOString()
  return null
}

/** What still has to be done before it can be handed in, by step. */
export function findGaps(application: Application, now: Date): [Step, Problems][] {
  return STEPS.map((step): [Step, Problems] => [step, checkStep(step, application, now)]).filter(
    ([, problems]) => Object.keys(problems).length > 0,
  )
}

/** Hands a complete application in and gives it its number, once; a returned one keeps its number. */
export function submitApplication(state: GrantState, application: Application, now: Date) {
  if (application.reference === null) {
    application.reference = `NF-2026-${String(state.references).padStart(4, '0')}`
    state.references += 1
  }
  dropHiddenFields(application)
  application.state = 'submitted'
  application.handedIn += 1
  application.savedAt = now.toISOString()
}

/** What was typed into a field that the form then hid again is no part of the application. */
function dropHiddenFields({ fields }: Application) {
  if (fields.kind === 'person') Object.assign(fields, { organisation: '', role: '' })
  if (fields.theme !== 'Something else') fields.otherTheme = ''
  if (fields.requested === fields.total) fields.coFunder = ''
}
