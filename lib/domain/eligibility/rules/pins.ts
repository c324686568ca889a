import type { EpisodeFact } from '../../board/episode-fact.ts'
import { listNames } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** Seed: the envelope records exact versions of agent, libraries and environment. */
export const pinsRule: Rule = {
  code: 'pins',
  fromSeed: true,
  demand: () =>
    'Agent, libraries, browser and environment are recorded with exact versions, and the harness is a clean commit.',
  check: ({ facts }) => {
    const fields = new Set(facts.flatMap((fact) => unpinned(fact)))
    if (fields.size === 0) return null
    return {
      reason: `Not pinned to an exact version: ${listNames(fields, 6)}.`,
      remedy: 'Specify exact versions, commit all changes to the harness, and rerun.',
    }
  },
}

function unpinned({ subject, unpinned: environment }: EpisodeFact): string[] {
  const fields = [...environment]
  if (!isExact(subject.version)) fields.push('version')
  if (subject.kind === 'library' && !isExact(subject.adapterVersion)) fields.push('adapter version')
  return fields
}

const MOVING = /^(unknown|latest|next|canary|nightly|stable|dev|head|main|master)$/i
const RANGE = /[\^~<>=*|\s]|(^|\.)x(\.|$)/i

/** An exact version: present, not a moving tag, not a range. */
function isExact(version: string | null): boolean {
  if (version === null || version.trim() === '') return false
  return !MOVING.test(version) && !RANGE.test(version)
}
