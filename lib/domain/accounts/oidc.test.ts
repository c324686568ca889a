import { describe, expect, it } from 'vitest'
import {
  findForkProblem,
  findRuleProblem,
  matchGlob,
  type OidcRule,
  readAudience,
  type WorkflowClaims,
  workflowClaimsSchema,
  writeAudience,
} from './oidc.ts'

const CLAIMS: WorkflowClaims = workflowClaimsSchema.parse({
  iss: 'https://issuer.example',
  sub: 'repo:acme/bench:ref:refs/heads/main',
  aud: 'https://board.example',
  exp: 2,
  iat: 1,
  jti: 'j',
  repository: 'acme/bench',
  repository_id: '1',
  repository_owner: 'acme',
  repository_owner_id: 2,
  ref: 'refs/heads/main',
  sha: 'c'.repeat(40),
  event_name: 'push',
  workflow_ref: 'acme/bench/.github/workflows/a.yml@refs/heads/main',
  run_id: '3',
  run_attempt: '1',
  actor_id: '4',
})
const RULE: OidcRule = {
  issuer: 'https://issuer.example',
  repositoryId: '1',
  repositoryOwnerId: '2',
  ref: 'refs/heads/*',
  workflow: null,
  environment: null,
  events: null,
  plainAudience: false,
}
const problem = (rule: Partial<OidcRule>, claims: Partial<WorkflowClaims> = {}) =>
  findRuleProblem({ ...RULE, ...rule }, { ...CLAIMS, ...claims })

describe('findRuleProblem', () => {
  it('lets in what fits in every point', () => {
    expect(problem({})).toBeNull()
    expect(problem({ workflow: '.github/workflows/a.yml' })).toBeNull()
    expect(problem({ workflow: '.github/workflows/*.yml@refs/heads/main' })).toBeNull()
    expect(problem({ workflow: 'acme/bench/.github/workflows/a.yml@**' })).toBeNull()
    expect(problem({ events: ['workflow_run'] }, { event_name: 'workflow_run' })).toBeNull()
    expect(problem({ environment: 'prod' }, { environment: 'prod' })).toBeNull()
  })

  it.each<[string, Partial<OidcRule>, Partial<WorkflowClaims>]>([
    ['another issuer with the same numbers', {}, { iss: 'https://other.example' }],
    ['another repository', {}, { repository_id: '9' }],
    ['another owner', {}, { repository_owner_id: '9' }],
    ['a tag', {}, { ref: 'refs/tags/main' }],
    ['a branch with a slash', {}, { ref: 'refs/heads/a/b' }],
    ['another event', { events: ['schedule'] }, {}],
    ['no environment', { environment: 'prod' }, {}],
    ['environment by another case', { environment: 'prod' }, { environment: 'Prod' }],
    ['another file', { workflow: '.github/workflows/b.yml' }, {}],
    [
      'the same file of a shared repository',
      { workflow: '.github/workflows/a.yml' },
      { job_workflow_ref: 'eve/tools/.github/workflows/a.yml@main' },
    ],
    [
      'a name that only begins the same',
      { workflow: '.github/workflows/a.yml' },
      { job_workflow_ref: 'acme/bench-evil/.github/workflows/a.yml@main' },
    ],
  ])('refuses %s', (_, rule, claims) => {
    expect(problem(rule, claims)).not.toBeNull()
  })

  it('knows what may hold the code of a fork, whatever a rule says', () => {
    for (const event_name of ['pull_request', 'pull_request_target'])
      expect(findForkProblem({ ...CLAIMS, event_name })).toContain('fork')
    expect(findForkProblem({ ...CLAIMS, ref: 'refs/pull/1/merge' })).toContain('fork')
    expect(findForkProblem(CLAIMS)).toBeNull()
  })
})

it('an audience names a place and, if it does, exactly one digest', () => {
  const digest = `sha256:${'a'.repeat(64)}` as const
  const audience = writeAudience('https://board.example', digest)
  expect(readAudience(audience)).toEqual({ base: 'https://board.example', digest })
  expect(readAudience('https://board.example/')).toEqual({
    base: 'https://board.example',
    digest: null,
  })
  for (const wrong of [
    '#sha256=',
    '#sha256=ABC',
    `#sha256=${'a'.repeat(63)}`,
    `${'#sha256='.repeat(2)}`,
  ])
    expect(readAudience(`https://board.example${wrong}`)).toBeNull()
})

it.each([
  ['refs/heads/main', 'refs/heads/main', true],
  ['refs/heads/main', 'refs/heads/main2', false],
  ['refs/heads/*', 'refs/heads/main', true],
  ['refs/heads/*', 'refs/heads/a/b', false],
  ['refs/heads/**', 'refs/heads/a/b', true],
  ['refs/tags/v*', 'refs/tags/v1.2.3', true],
  ['refs/tags/v*', 'refs/heads/v1', false],
  ['**', '', true],
  ['*', '', true],
  ['', '', true],
  ['', 'a', false],
  ['a*b*c', 'aXbYc', true],
  ['a*b*c', 'aXbY', false],
  ['refs/heads/ma.n', 'refs/heads/main', false],
  ['*/*', 'a/b', true],
  ['*/*', 'a/b/c', false],
])('%s against %s: %s', (pattern, text, fits) => {
  expect(matchGlob(pattern, text)).toBe(fits)
})

it('answers at once whatever the pattern', () => {
  expect(matchGlob(`${'**a'.repeat(60)}b`, 'a'.repeat(255))).toBe(false)
})
