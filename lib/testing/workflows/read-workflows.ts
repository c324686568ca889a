import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const FOLDER = '.github/workflows'

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])
const values = z.record(z.string(), scalar)

const stepSchema = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  'continue-on-error': z.boolean().default(false),
  with: values.default({}),
  env: values.default({}),
})
export type CiStep = z.infer<typeof stepSchema>

const permissionsSchema = z.union([z.string(), z.record(z.string(), z.string())])

const jobSchema = z.object({
  needs: z.union([z.string().transform((name) => [name]), z.array(z.string())]).default([]),
  if: z.string().optional(),
  uses: z.string().optional(),
  with: values.default({}),
  secrets: z.union([z.string(), values]).optional(),
  env: values.default({}),
  permissions: permissionsSchema.optional(),
  'timeout-minutes': z.number().optional(),
  environment: z.string().optional(),
  strategy: z
    .object({
      matrix: z.record(z.string(), z.union([scalar, z.array(scalar)])),
      'fail-fast': z.boolean().optional(),
    })
    .optional(),
  outputs: z.record(z.string(), z.string()).default({}),
  steps: z.array(stepSchema).default([]),
})
export type WorkflowJob = z.infer<typeof jobSchema>

const workflowSchema = z.object({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: permissionsSchema.optional(),
  concurrency: z.object({ group: z.string(), 'cancel-in-progress': z.boolean() }).optional(),
  env: values.default({}),
  jobs: z.record(z.string(), jobSchema),
})

/** A workflow as text and as parsed for our tests. */
export type CiWorkflow = z.infer<typeof workflowSchema> & { path: string; text: string }

/** Every workflow of this repository. */
export function readWorkflows(): CiWorkflow[] {
  return readdirSync(FOLDER)
    .sort()
    .map((name) => join(FOLDER, name))
    .map((path) => parseWorkflow(path, readFileSync(path, 'utf8')))
}

/** One of them, by its file's name without an ending. */
export function readCiWorkflow(name: string): CiWorkflow {
  const path = join(FOLDER, `${name}.yml`)
  return parseWorkflow(path, readFileSync(path, 'utf8'))
}

export function parseWorkflow(path: string, text: string): CiWorkflow {
  return { ...workflowSchema.parse(parse(text)), path, text }
}

const actionSchema = z.object({
  runs: z.object({ using: z.literal('composite'), steps: z.array(stepSchema) }),
})

/** A composite action of this repository, as a workflow with one job. */
export function readAction(name: string): CiWorkflow {
  const path = join('.github', 'actions', name, 'action.yml')
  const text = readFileSync(path, 'utf8')
  const { runs } = actionSchema.parse(parse(text))
  const job = jobSchema.parse({ steps: runs.steps, 'timeout-minutes': 1 })
  const workflow = workflowSchema.parse({ name, on: {}, permissions: {}, jobs: {} })
  return { ...workflow, jobs: { compare: job }, path, text }
}
