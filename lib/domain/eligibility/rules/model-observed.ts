import { isLlmDriven } from '../is-llm-driven.ts'
import { listNames } from '../list-names.ts'
import type { Complaint, Rule } from '../rule.ts'

/** All responses come from the pinned model, in one snapshot. */
export const modelObservedRule: Rule = {
  code: 'model-observed',
  fromSeed: false,
  demand: () => 'All responses come from the pinned model, in one dated snapshot.',
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
  reason: 'The responding model was not observed, so the pinned model cannot be confirmed.',
  remedy:
    'Run through the metering gateway, or use an agent that reports the model of each response.',
}

function otherModel(requested: string[], observed: string[]): Complaint {
  return {
    reason: `The provider responded with ${listNames(observed)} instead of the pinned ${listNames(requested)}.`,
    remedy: 'Pin the responding model, or route requests to the pinned one, and rerun.',
  }
}

function severalSnapshots(snapshots: Set<string>): Complaint {
  return {
    reason: `The pinned name resolved to several snapshots during the measurement: ${listNames(snapshots)}.`,
    remedy: 'Pin one dated snapshot and rerun.',
  }
}
