import { priceUsage } from '#lib/domain/cost/price-usage.ts'
import { checkLaunch } from '#lib/domain/launch/check-launch.ts'
import type { LaunchChoices } from '#lib/domain/launch/launch-choices.ts'
import type { LaunchFields, LaunchProblem } from '#lib/domain/launch/launch-fields.ts'
import { type LaunchRequest, parseLaunch } from '#lib/domain/launch/parse-launch.ts'

export type CheckedLaunch =
  | { ok: true; request: LaunchRequest }
  | { ok: false; problems: LaunchProblem[] }

/** The form as a valid request, or its validation errors. */
export function checkRequest(
  fields: LaunchFields,
  choices: LaunchChoices,
  now: string,
): CheckedLaunch {
  const parsed = parseLaunch(fields)
  if (!parsed.ok) return parsed
  const { request } = parsed
  const problems = [...checkLaunch(request, choices), ...checkPrice(request, now)]
  // One error per field is enough.
  const first = problems.filter(
    ({ path }, place) => problems.findIndex((other) => other.path === path) === place,
  )
  return first.length > 0 ? { ok: false, problems: first } : { ok: true, request }
}

const ONE = { input: 1, output: 1, cacheRead: null, cacheWrite: null, reasoning: null }

/** The browser has no price table, so only the server makes this check. */
function checkPrice(
  { spendCapMicroUsd, provider, model }: LaunchRequest,
  now: string,
): LaunchProblem[] {
  if (spendCapMicroUsd === null || model === null) return []
  const price = priceUsage({ provider, model, tokens: ONE, at: now })
  if (price.costMicroUsd !== null) return []
  const message = `${model} is not in the price table, so a spend cap cannot be enforced. Leave it empty.`
  return [{ path: 'cap', message }]
}
