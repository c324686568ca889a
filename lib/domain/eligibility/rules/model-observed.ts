import { isLlmDriven } from '../is-llm-driven.ts'
import { listNames } from '../list-names.ts'
import type { Complaint, Rule } from '../rule.ts'

/** The provider answered with the model that was pinned, in one snapshot throughout. */
export const modelObservedRule: Rule = {
  code: 'model-observed',
  fromSeed: false,
  demand: () =>
    'The model that answered is the model that was pinned, in one dated snapshot throughout the row.',
  check: ({ facts }) => {
    const driven = facts.filter(isLlmDriven)
    if (driven.length === 0) return null
    const observed = new Set(driven.flatMap((fact) => fact.modelObserved))
    if (observed.size === 0) return nothingObserved
    const other = driven.flatMap(({ subject, modelObserved }) =>
      modelObserved.filter((model) => !isSameModel(subject.modelRequested, model)),
    )
    if (other.length > 0)
      return otherModel(
        driven.map((fact) => fact.subject.modelRequested ?? 'none'),
        other,
      )
    const snapshots = new Set([...observed].map(bareName).filter((name) => DATED.test(name)))
    return snapshots.size > 1 ? severalSnapshots(snapshots) : null
  },
}

const DATED = /[-@:]?(\d{4}-\d{2}-\d{2}|\d{8})$/

/** `vendor/model` and `model` are one name; a dated snapshot belongs to the name without the date. */
function isSameModel(requested: string | null, observed: string): boolean {
  if (requested === null) return false
  const [asked, got] = [bareName(requested), bareName(observed)]
  return asked === got || asked === got.replace(DATED, '')
}

function bareName(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1)
}

const nothingObserved: Complaint = {
  reason: 'Nobody observed which model answered, so the pinned model is only a promise.',
  remedy:
    'Run through the metering gateway, or with an agent that reports the model of each answer.',
}

function otherModel(requested: string[], observed: string[]): Complaint {
  return {
    reason: `The provider answered with ${listNames(observed)} where ${listNames(requested)} was pinned.`,
    remedy: 'Pin the model that answers, or route the request to the pinned one, and run again.',
  }
}

function severalSnapshots(snapshots: Set<string>): Complaint {
  return {
    reason: `The pinned name stood for several snapshots while the row was measured: ${listNames(snapshots)}.`,
    remedy: 'Pin one dated snapshot and run again.',
  }
}
