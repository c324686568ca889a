import {
  ASSERTION_WORDS,
  INJECTOR_WORDS,
  RUNG_WORDS,
  sayRung,
  TARGETING_WORDS,
} from '../../browser/browser-words.ts'
import type { MethodologyInput } from '../methodology-constants.ts'
import { type Section, terms, text } from '../methodology-section.ts'

/** Browser workflows: who drives, who judges, what is broken on purpose. */
export function browserSection({ constants: { browser } }: MethodologyInput): Section {
  return {
    id: 'browser',
    title: 'Browser workflows',
    blocks: [
      text(
        'A browser library works in a Chromium that the harness owns, on an app whose state is made anew for every ' +
          'episode, at an origin that no other episode uses. A scripted driver plays a task step by step over one action ' +
          'surface, the same for every library; or a language model plays it with the library’s own tools and is told ' +
          'the instruction alone. Scripted and model-driven rows are never ranked together.',
      ),
      text(
        'The final contract is evaluated by the harness’s own connection and by what the app’s server holds, never by ' +
          'what the library says. An assertion that cannot be known is inconclusive, and stays so when it is negated. ' +
          'What the library says is kept beside it: no error and a failed contract is a false success, an error and a ' +
          'contract that passed is a success with an error. Both are diagnostic.',
      ),
      text(REACH),
      terms(
        'assertion',
        browser.assertions.map((kind) => ({ key: kind, text: ASSERTION_WORDS[kind] })),
      ),
      text(
        'How a library points at elements is part of its identity. What it shows of a page to whoever drives it is ' +
          'compared only among rows that point alike and are driven alike.',
      ),
      terms(
        'targeting',
        browser.targetings.map((targeting) => ({
          key: targeting,
          text: `Elements are found by ${TARGETING_WORDS[targeting]}.`,
        })),
      ),
      text(
        'A row’s browser is either launched for each episode or reset, shown to be empty and used again; the two make ' +
          'rows of their own. Memory is the proportional set size of the process trees, so that shared pages count once.',
      ),
      text(
        'A fault is injected once, at the first request of the kind that the task names for it, in the same way for ' +
          'every library. A stress row needs the same subject’s pass without the fault.',
      ),
      terms(
        'fault',
        Object.entries(browser.faults).map(([kind, { what, by }]) => ({
          key: kind,
          text: what,
          mark: INJECTOR_WORDS[by],
        })),
      ),
      text(
        'After a fault, or after an action that failed, every library climbs the same ladder; the lowest rung after ' +
          'which the work went on is recorded, with the time from the fault’s firing to the library’s first error.',
      ),
      terms(
        'rung',
        browser.rungs.map((rung) => ({
          key: rung,
          term: sayRung(rung),
          text: RUNG_WORDS[rung].meaning,
        })),
      ),
    ],
  }
}

const REACH =
  'Where bubblewrap works, a library’s process reaches its leased browser and nothing else, and the browser reads no ' +
  'file but its own. On Linux the app asks the kernel which process opened each connection and serves only the leased ' +
  'browser; other requests are refused and recorded, and one that would change something is a finding. A script that ' +
  'the library runs inside the page counts as using the browser. A browser that ends while the library works counts ' +
  'against the library.'
