import { useEffect, useState } from 'react'
import type { LaunchChoices } from '#lib/domain/runs/index.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { visibleText } from '../ui/format.ts'
import { ScrollBox } from '../ui/table.tsx'

type TaskPickerProps = {
  tasks: NonNullable<LaunchChoices['suite']>['tasks']
  /** The form field with the task names. */
  field: { name: string; dense: boolean; defaultValue: string; problem: string | undefined }
  onPick: () => void
}

/** Selects tasks by search, by category or as the first few; without scripts, names are typed. Empty = all tasks. */
export function TaskPicker({ tasks, field: { defaultValue, ...field }, onPick }: TaskPickerProps) {
  const [text, setText] = useState(defaultValue)
  const [query, setQuery] = useState('')
  // The form compares its fields after the text has changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the text.
  useEffect(onPick, [text])
  const chosen = namesIn(text)
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = tasks.filter(({ taskId, category }) =>
    words.every((word) => `${taskId} ${category}`.toLowerCase().includes(word)),
  )
  const choose = (names: readonly string[]) =>
    setText(names.length === tasks.length ? '' : names.join(', '))
  const toggle = (name: string) =>
    choose(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name])
  return (
    <div className="col-span-full">
      <TextField
        {...field}
        label="Task names"
        onChange={(event) => setText(event.target.value)}
        placeholder="all tasks"
        value={text}
      />
      <details className="scripted mt-2">
        <summary className="w-fit text-muted hover:text-ink">
          Pick tasks: {chosen.length === 0 ? 'all' : chosen.length} of {tasks.length}
        </summary>
        <div className="mt-2 flex flex-wrap items-center gap-2">
          <input
            aria-label="Search tasks"
            className="h-8 min-w-40 flex-1 rounded border border-line-strong bg-surface px-2"
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') event.preventDefault()
            }}
            placeholder="Search tasks and categories"
            type="search"
            value={query}
          />
          <FirstTasks count={shown.length} onChoose={(count) => choose(idsOf(shown, count))} />
          <Button disabled={shown.length === 0} onClick={() => choose(idsOf(shown, shown.length))}>
            Select shown
          </Button>
          <Button onClick={() => setText('')}>All tasks</Button>
        </div>
        <ScrollBox aria-label="Tasks" className="mt-2 max-h-60 overflow-auto border-line border-y">
          <ul className="grid gap-x-4 sm:grid-cols-2">
            {shown.map(({ taskId, category }) => (
              <li key={taskId}>
                <label className="flex min-h-8 items-center gap-2">
                  <input
                    checked={chosen.includes(taskId)}
                    className="accent-[var(--accent)]"
                    onChange={() => toggle(taskId)}
                    type="checkbox"
                  />
                  <span className="untrusted min-w-0 flex-1">{visibleText(taskId)}</span>
                  <span className="text-muted text-xs">{visibleText(category)}</span>
                </label>
              </li>
            ))}
          </ul>
          {shown.length === 0 ? <p className="py-2 text-muted">No task matches.</p> : null}
        </ScrollBox>
      </details>
    </div>
  )
}

type FirstTasksProps = { count: number; onChoose: (count: number) => void }

/** Selects a few tasks for a trial run. */
function FirstTasks({ count, onChoose }: FirstTasksProps) {
  const [first, setFirst] = useState(String(Math.min(3, count)))
  // No task selected would mean all tasks.
  const isCount = /^[1-9]\d*$/.test(first.trim()) && count > 0
  return (
    <span className="flex items-center gap-1">
      <input
        aria-label="Number of tasks"
        className="h-8 w-14 rounded border border-line-strong bg-surface px-2"
        inputMode="numeric"
        onChange={(event) => setFirst(event.target.value)}
        value={first}
      />
      <Button
        aria-label="Select the first tasks"
        disabled={!isCount}
        onClick={() => onChoose(Number(first))}
      >
        First
      </Button>
    </span>
  )
}

function idsOf(tasks: TaskPickerProps['tasks'], count: number): string[] {
  return tasks.slice(0, Math.max(0, count)).map(({ taskId }) => taskId)
}

function namesIn(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))]
}
