import { expect, it } from 'vitest'
import { SHIPPED_SUBJECTS } from '#lib/domain/eligibility/shipped-subjects.ts'
import { LIBRARIES } from '../libraries/registry.ts'
import { WORKFLOW_CONTROLS } from '../workflow/scripted-player.ts'
import { adapterVersion } from './agents/agent-definition.ts'
import { loadAgents } from './agents/load-agents.ts'
import { listSubjectNames } from './find-subject.ts'

const agents = loadAgents().map((one) => ({ name: one.name, definition: adapterVersion(one) }))
const libraries = LIBRARIES.map((one) => ({ name: one.name, definition: `${one.adapterVersion}` }))

it.each([...agents, ...libraries])(
  'reserves the name $name for the definition that is shipped: add $definition to shipped-subjects.ts',
  ({ name, definition }) => {
    expect(SHIPPED_SUBJECTS[name]?.definitions).toContain(definition)
  },
)

it('reserves the name of everything that is shipped, and no other', () => {
  const names = [
    ...listSubjectNames().filter((name) => name !== 'command'),
    ...LIBRARIES.map(({ name }) => name),
    ...WORKFLOW_CONTROLS.map(({ subject }) => subject.name),
  ]
  expect(Object.keys(SHIPPED_SUBJECTS).sort()).toEqual([...new Set(names)].sort())
})
