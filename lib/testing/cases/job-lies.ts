import type { JobFiles } from '../factories/harbor-job.ts'
import { taskChecksum } from '../factories/harbor-job.ts'
import {
  copyTrial,
  edit,
  editTrial,
  first,
  later,
  type Result,
  recount,
  trialsOf,
  without,
} from './edit-job.ts'

/** A lie about a job, and the code of its refusal. */
export type Lie = { name: string; code: string; tell: (files: JobFiles) => JobFiles }

/** Each contradicts one check alone, so that without the check it would be stored. */
export const JOB_LIES: readonly Lie[] = [
  {
    name: 'a slot is missing',
    code: 'slot-missing',
    tell: (files) => recount(without(files, `${first(files)}/`), -1),
  },
  {
    name: 'one attempt more than planned',
    code: 'slot-extra',
    tell: (files) => {
      const copy = 'greet__zzzzzzz'
      const all = copyTrial(files, first(files), copy)
      const log = edit<{ session_id: string }>(all, `${copy}/agent/trajectory.json`, (one) => {
        one.session_id = 'another'
      })
      return recount(
        edit<Result>(log, `${copy}/result.json`, (one) => {
          one.id = 'another'
        }),
        1,
      )
    },
  },
  {
    name: 'a slot is doubled: one trial stands for two',
    code: 'slot-doubled',
    tell: (files) => {
      const [kept = '', lost = ''] = trialsOf(files, 'greet')
      const copy = 'greet__zzzzzzz'
      const all = copyTrial(without(files, `${lost}/`), kept, copy)
      return edit<{ session_id: string }>(all, `${copy}/agent/trajectory.json`, (one) => {
        one.session_id = 'another'
      })
    },
  },
  {
    name: 'an attempt is a copy of another, with an id of its own',
    code: 'copied',
    tell: (files) => {
      const [kept = '', lost = ''] = trialsOf(files, 'greet')
      const copy = 'greet__zzzzzzz'
      return edit<Result>(
        copyTrial(without(files, `${lost}/`), kept, copy),
        `${copy}/result.json`,
        (one) => {
          one.id = 'another'
        },
      )
    },
  },
  {
    name: 'slots are exchanged between two tasks',
    code: 'slot-exchanged',
    tell: (files) => {
      const swap = (task: string, other: string, all: JobFiles) =>
        editTrial(all, task, (one) => {
          one.task_name = other
          one.task_checksum = taskChecksum(other)
        })
      return swap('river', 'greet', swap('greet', 'river', files))
    },
  },
  {
    name: 'attempts were left out before the folder was handed in',
    code: 'cherry-picked',
    tell: (files) => recount(files, 3),
  },
  {
    name: 'failed attempts were tried again',
    code: 'cherry-picked',
    tell: (files) =>
      edit<{ stats: { n_retries: number } }>(files, 'result.json', (job) => {
        job.stats.n_retries = 2
      }),
  },
  {
    name: 'a trial of an older job',
    code: 'older-job',
    tell: (files) =>
      editTrial(files, 'greet', (one) => {
        one.config.job_id = '00000000-0000-0000-0000-000000000000'
      }),
  },
  {
    name: 'another version of a task',
    code: 'task-digest',
    tell: (files) =>
      editTrial(files, 'greet', (one) => {
        one.task_checksum = 'c0ffee'
      }),
  },
  {
    name: 'the reward was forged in the result alone',
    code: 'reward',
    tell: (files) => ({ ...files, [`${first(files)}/verifier/reward.txt`]: '0\n' }),
  },
  {
    name: 'another version of the agent in one attempt',
    code: 'agent',
    tell: (files) =>
      editTrial(files, 'greet', (one) => {
        one.agent_info.version = '9.9.9'
      }),
  },
  {
    name: 'another model in one attempt',
    code: 'model',
    tell: (files) =>
      edit<{ steps: { model_name?: string }[] }>(
        files,
        `${first(files)}/agent/trajectory.json`,
        ({ steps }) => {
          for (const step of steps) step.model_name = 'claude-opus-5'
        },
      ),
  },
  {
    name: 'the agent left no log',
    code: 'agent-log',
    tell: (files) => without(files, `${first(files)}/agent/`),
  },
  {
    name: 'no final state',
    code: 'final-state',
    tell: (files) => ({ ...files, [`${first(files)}/artifacts/manifest.json`]: '[]' }),
  },
  {
    name: 'less time than the agent’s steps took',
    code: 'time-short',
    tell: (files) => {
      const at = later(JSON.parse(files['result.json'] ?? '{}').started_at, 20_000)
      return edit<{ steps: { timestamp: string }[] }>(
        files,
        `${first(files)}/agent/trajectory.json`,
        ({ steps }) => {
          for (const step of steps) step.timestamp = at
        },
      )
    },
  },
  {
    name: 'phases in an order that cannot be',
    code: 'times',
    tell: (files) =>
      editTrial(files, 'greet', (one) => {
        one.verifier.finished_at = later(one.verifier.started_at, -1000)
      }),
  },
  {
    name: 'fewer tokens than the agent’s steps used',
    code: 'tokens-short',
    tell: (files) =>
      editTrial(files, 'greet', (one) => {
        one.agent_result.n_output_tokens = 1
      }),
  },
  {
    name: 'other settings of the job',
    code: 'terms',
    tell: (files) =>
      edit<{ timeout_multiplier: number }>(files, 'config.json', (job) => {
        job.timeout_multiplier = 4
      }),
  },
  {
    name: 'another verifier in the job',
    code: 'terms',
    tell: (files) =>
      edit<{ verifier: { import_path: string } }>(files, 'config.json', (job) => {
        job.verifier.import_path = 'mine:Verifier'
      }),
  },
  {
    name: 'a working copy of Harbor',
    code: 'harness-version',
    tell: (files) =>
      edit<{ harbor: { is_editable: boolean } }>(files, 'lock.json', ({ harbor }) => {
        harbor.is_editable = true
      }),
  },
  {
    name: 'a lock that was written after the job',
    code: 'lock',
    tell: (files) =>
      edit<{ created_at: string }>(files, 'lock.json', (lock) => {
        lock.created_at = later(lock.created_at, 3_600_000)
      }),
  },
  {
    name: 'the folder of a job with another name',
    code: 'job-name',
    tell: (files) =>
      edit<{ job_name: string }>(files, 'config.json', (job) => {
        job.job_name = 'mine'
      }),
  },
]
