import type { SeenRequest } from '../../apps/app-house.ts'
import { fitsRequest } from './fit-request.ts'
import { fitsCount, showHowMany } from './how-many.ts'
import { decide, type Judged, type SpecOf, undecided } from './judged.ts'
import { showAmount } from './show-value.ts'

/** How often the app's server was asked this; with `status`, only what it answered so. */
export function judgeNetwork(
  { request, count, status }: SpecOf<'network'>,
  requests: readonly SeenRequest[] | null,
): Judged {
  const answered = status === undefined ? '' : ` answered with ${status}`
  const expected = `${showHowMany(count)} of ${request}${answered}`
  if (requests === null) return undecided(expected, "the app's requests could not be read")
  const asked = requests.filter(({ method, path }) => fitsRequest(request, method, path))
  const fitting = asked.filter((one) => status === undefined || one.status === status)
  const answers = asked.map((one) => one.status ?? 'no answer').slice(0, 20)
  const shown = answers.length === 0 ? '' : `, answered ${answers.join(', ')}`
  const observed = `${showAmount(asked.length, 'such request')} of ${requests.length}${shown}`
  return decide(expected, observed, fitsCount(count, fitting.length))
}
