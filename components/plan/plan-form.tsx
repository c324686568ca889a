import type { ReactNode } from 'react'
import { visibleText } from '#components/format/visible-text.ts'
import { Button } from '#components/ui/button.tsx'
import { OTHER_SUBJECT, type PlanField, type PlannerView } from '#lib/domain/views/planner-view.ts'
import { SelectField, TextField } from './field.tsx'

/** The planner's question as a plain GET form: it works without scripts, and its answer has an address. */
export function PlanForm({ view }: { view: PlannerView }) {
  const { fields, problems } = view
  const about = (name: PlanField) => ({
    name,
    value: fields[name],
    problem: problems.find((problem) => problem.field === name)?.message,
  })
  return (
    <form
      action="/plan"
      className="space-y-4 rounded border border-line bg-surface p-4"
      method="get"
    >
      <Group title="What">
        <SelectField {...about('suite')} label="Suite" options={suiteOptions(view)} />
        <SelectField {...about('category')} label="Tasks" options={categoryOptions(view)} />
        <SelectField {...about('subject')} label="Subject" options={subjectOptions(view)} />
        <SelectField {...about('versus')} label="Compare with" options={rowOptions(view)} />
      </Group>
      <Group title="Another subject, or another version or model of it">
        <TextField {...about('agent')} label="Agent" placeholder="name" />
        <TextField {...about('version')} label="Version" placeholder="exact version" />
        <TextField {...about('model')} label="Model" placeholder="model id" />
      </Group>
      <Group title="How much">
        <TextField {...about('repetitions')} inputMode="numeric" label="Repetitions a task" />
        <TextField {...about('concurrency')} inputMode="numeric" label="At the same time" />
      </Group>
      <Group title="Pinned, for each episode">
        <TextField
          {...about('steps')}
          inputMode="numeric"
          label="Most steps"
          placeholder="no limit"
        />
        <TextField
          {...about('tokens')}
          inputMode="numeric"
          label="Most tokens"
          placeholder="no limit"
        />
        <TextField {...about('cost')} inputMode="decimal" label="Most USD" placeholder="no limit" />
        <TextField
          {...about('temperature')}
          label="Temperature"
          placeholder="0 to 2, or provider-fixed"
        />
        <TextField {...about('timeout')} inputMode="numeric" label="Timeout, seconds" />
      </Group>
      <Button type="submit">Explain</Button>
    </form>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">{title}</legend>
      <div className="grid grid-cols-1 gap-x-4 gap-y-2 sm:grid-cols-2 lg:grid-cols-5">
        {children}
      </div>
    </fieldset>
  )
}

type Option = { value: string; text: string }

function suiteOptions({ suites, fields }: PlannerView): Option[] {
  const known = suites.map(({ suiteId, title }) => ({ value: suiteId, text: visibleText(title) }))
  return withGiven(known, fields.suite)
}

function categoryOptions({ categories, fields }: PlannerView): Option[] {
  const known = categories.map((name) => ({ value: name, text: `only ${visibleText(name)}` }))
  return withGiven([{ value: '', text: 'all tasks' }, ...known], fields.category)
}

function subjectOptions({ subjects, fields }: PlannerView): Option[] {
  const known = subjects.map((label) => ({ value: label, text: visibleText(label) }))
  return withGiven(
    [...known, { value: OTHER_SUBJECT, text: 'another, named below' }],
    fields.subject,
  )
}

function rowOptions({ rows, fields }: PlannerView): Option[] {
  const known = rows.map(({ rowId, label }) => ({ value: rowId, text: visibleText(label) }))
  return withGiven([{ value: '', text: 'nobody in particular' }, ...known], fields.versus)
}

/** What the address says stays chosen, even when it is unknown: else the form would ask something else than it shows. */
function withGiven(options: Option[], given: string): Option[] {
  if (given === '' || options.some(({ value }) => value === given)) return options
  return [...options, { value: given, text: `${visibleText(given)} (unknown)` }]
}
