import { type FormEvent, useEffect, useRef, useState } from 'react'
import {
  checkLaunch,
  HERE,
  isSameLaunch,
  LAUNCH_FIELDS,
  type LaunchChoices,
  type LaunchField,
  type LaunchFields,
  parseLaunch,
  readLaunchFields,
  writeLaunchQuery,
} from '#lib/domain/runs/index.ts'
import { runsBrowser } from '#lib/domain/tasks/index.ts'
import type { Problem } from '#lib/domain/text/index.ts'
import { Button } from '../ui/button.tsx'
import { SelectField, TextAreaField, TextField } from '../ui/fields.tsx'
import { visibleText } from '../ui/format.ts'
import { FieldGroup } from './field-group.tsx'
import {
  BROWSER_OPTIONS,
  categoryOptions,
  faultOptions,
  ISOLATION_OPTIONS,
  machineOptions,
  PRIORITY_OPTIONS,
  providerOptions,
  suiteOptions,
  withGiven,
} from './launch-options.ts'
import { LimitFields } from './limit-fields.tsx'
import { SubjectCards } from './subject-cards.tsx'
import { TaskPicker } from './task-picker.tsx'

type LaunchFormProps = {
  fields: LaunchFields
  choices: LaunchChoices
  problems: readonly Problem[]
  /** True = submitting is the next step. */
  isNext: boolean
  /** Receives whether the form differs from the values from the server. */
  onEdit: (isEdited: boolean) => void
}

/** The launch form as a plain GET form: it works without scripts, and its result has a URL. */
export function LaunchForm({ fields, choices, problems, isNext, onEdit }: LaunchFormProps) {
  const [own, setOwn] = useState<readonly Problem[]>([])
  const form = useRef<HTMLFormElement>(null)
  const compare = () => {
    if (form.current) onEdit(!isSameLaunch(fieldsOf(form.current), fields))
  }
  // Browsers restore the typed values when the page is opened again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with the page.
  useEffect(compare, [])
  const allProblems = [...own, ...problems]
  const about = (name: LaunchField) => {
    const message = allProblems.find(({ path }) => path === name)?.message
    return { name, dense: true, defaultValue: fields[name], problem: message }
  }
  const check = (event: FormEvent<HTMLFormElement>) => {
    const found = problemsOf(fieldsOf(event.currentTarget), choices)
    setOwn(found)
    if (found.length === 0) return
    event.preventDefault()
    const first = event.currentTarget.elements.namedItem(found[0]?.path ?? '')
    if (!(first instanceof HTMLElement)) return
    first.closest('details')?.setAttribute('open', '')
    first.focus()
  }
  return (
    <form
      action="/admin/launch#launch"
      className="space-y-4 rounded border border-line bg-surface p-4"
      method="get"
      onChange={compare}
      onSubmit={check}
      ref={form}
    >
      <FieldGroup title="Run">
        <SelectField
          {...about('suite')}
          label="Suite"
          onChange={(event) => openSuite(event.currentTarget)}
          options={suiteOptions(choices, fields)}
        />
        <SubjectCards
          choices={choices}
          chosen={fields.subject}
          onChoose={(input) => openSubject(input, choices)}
          problem={about('subject').problem}
        />
        <TextField {...about('model')} label="Model" list="models" placeholder="model id" />
        <SelectField
          {...about('category')}
          label="Tasks"
          options={categoryOptions(choices, fields)}
        />
        <TaskPicker field={about('tasks')} onPick={compare} tasks={choices.suite?.tasks ?? []} />
      </FieldGroup>
      <FieldGroup title="Size">
        <TextField {...about('repetitions')} inputMode="numeric" label="Repetitions per task" />
        <TextField
          {...about('cap')}
          inputMode="decimal"
          label="Spend cap (USD)"
          placeholder="no cap"
        />
        <SelectField {...about('priority')} label="Priority" options={PRIORITY_OPTIONS} />
      </FieldGroup>
      <Advanced about={about} choices={choices} fields={fields} />
      <datalist id="models">
        {choices.models.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
      <Button tone={isNext ? 'primary' : 'plain'} type="submit">
        Estimate
      </Button>
    </form>
  )
}

type AroundProps = Pick<LaunchFormProps, 'fields' | 'choices'> & {
  about: (name: LaunchField) => {
    name: LaunchField
    dense: boolean
    defaultValue: string
    problem: string | undefined
  }
}

/** Rarely changed fields; open if one of them was changed. */
function Advanced({ about, choices, fields }: AroundProps) {
  const blank = readLaunchFields({})
  const isOpen = ADVANCED.some((name) => fields[name] !== blank[name] || about(name).problem)
  return (
    <details className="group" open={isOpen}>
      <summary className="w-fit font-medium">Advanced</summary>
      <div className="mt-3 space-y-4">
        <FieldGroup title="Subject">
          <SelectField
            {...about('provider')}
            label="Provider"
            options={providerOptions(choices, fields)}
          />
          <TextField
            {...about('agentVersion')}
            label="Agent version"
            placeholder="the installed one"
          />
          <TextField {...about('concurrency')} inputMode="numeric" label="Concurrency" />
        </FieldGroup>
        <FieldGroup title="Limits per episode">
          <LimitFields about={about} suiteKind={choices.suite?.kind} />
        </FieldGroup>
        <Around about={about} choices={choices} fields={fields} />
        {choices.executors.length > 0 || fields.on !== HERE ? (
          <FieldGroup title="Machines">
            <SelectField
              {...about('on')}
              label="Run on"
              options={machineOptions(choices, fields)}
            />
            <TextField
              {...about('shards')}
              hint="Only on other machines. Concurrency then counts for each shard."
              inputMode="numeric"
              label="Shards"
              placeholder="as set up"
            />
          </FieldGroup>
        ) : null}
      </div>
    </details>
  )
}

const ALWAYS_SHOWN: readonly LaunchField[] = [
  'suite',
  'subject',
  'model',
  'category',
  'tasks',
  'repetitions',
  'cap',
  'priority',
]
const ADVANCED = LAUNCH_FIELDS.filter((name) => !ALWAYS_SHOWN.includes(name))

/** The environment of an episode, and additions to its prompt. */
function Around({ fields, choices, about }: AroundProps) {
  const isBrowser = runsBrowser(choices.suite?.kind)
  return (
    <>
      <FieldGroup title="Environment">
        <SelectField
          {...about('isolation')}
          label="Isolation"
          options={withGiven(ISOLATION_OPTIONS, fields.isolation)}
        />
        {choices.isolation ? (
          <p className="untrusted col-span-full text-muted text-sm">
            {visibleText(choices.isolation.line.replace(/^isolation: /, 'Auto: '))}
          </p>
        ) : null}
        {isBrowser ? (
          <SelectField {...about('fault')} label="Fault" options={faultOptions(fields)} />
        ) : (
          <TextField {...about('fault')} label="Fault" placeholder="for example rate-limit@2" />
        )}
        {isBrowser || fields.browser === 'cold' ? (
          <SelectField {...about('browser')} label="Browser" options={BROWSER_OPTIONS} />
        ) : null}
      </FieldGroup>
      {isBrowser && fields.instruction === '' && fields.arms === '' ? null : (
        <FieldGroup title="Prompt">
          <div className="col-span-full">
            <TextAreaField
              {...about('instruction')}
              hint="Added to the end of every prompt. Entries with another text are other entries."
              label="Custom instruction"
              rows={2}
            />
          </div>
          <div className="col-span-full">
            <TextAreaField
              {...about('arms')}
              hint="Treatments of the agent, run interleaved with an empty baseline, in the format of an --arms file; files as { text: … }."
              label="Arms (YAML)"
              placeholder={
                'arms:\n  - name: careful\n    promptPrefix: Read every test before the first edit.'
              }
              rows={4}
            />
          </div>
        </FieldGroup>
      )}
    </>
  )
}

/** The server's checks, before the form is submitted. */
function problemsOf(fields: LaunchFields, choices: LaunchChoices): readonly Problem[] {
  const parsed = parseLaunch(fields)
  return parsed.ok ? checkLaunch(parsed.request, choices) : parsed.problems
}

function fieldsOf(form: HTMLFormElement): LaunchFields {
  const pairs = [...new FormData(form)].map(([name, value]) => [name, String(value)])
  return readLaunchFields(Object.fromEntries(pairs))
}

/** Another suite has other tasks, subjects and faults, so only the size of the run is kept. */
function openSuite({ form, value: suite }: HTMLSelectElement): void {
  if (!form) return
  const blank = readLaunchFields({})
  const { repetitions, concurrency, priority, timeout } = fieldsOf(form)
  goTo({ ...blank, suite, repetitions, concurrency, priority, timeout })
}

/** Another subject has other providers, and needs other repetitions to be ranked. */
function openSubject({ form, value }: HTMLInputElement, { subjects }: LaunchChoices): void {
  if (!form) return
  const fields = fieldsOf(form)
  const kind = subjects.find(({ name }) => name === value)?.kind ?? 'control'
  const isSuggested = Object.values(REPETITIONS).includes(fields.repetitions)
  const repetitions = isSuggested ? REPETITIONS[kind] : fields.repetitions
  goTo({ ...fields, subject: value, provider: '', repetitions })
}

/** Usual repetitions for a ranked entry of each kind. */
const REPETITIONS = { control: '1', agent: '3', library: '20' }

function goTo(fields: LaunchFields): void {
  window.location.assign(`/admin/launch?${writeLaunchQuery(fields)}`)
}
