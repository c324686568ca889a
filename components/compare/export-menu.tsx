'use client'

import { Download } from 'lucide-react'
import { downloadText } from '#components/board/download.ts'
import { Button } from '#components/ui/button.tsx'
import { Menu } from '#components/ui/menu.tsx'

export type ComparisonTexts = { name: string; pairs: string; tasks: string; markdown: string }

/** The comparison as files: the pairs, the tasks, or all of it to read. */
export function ExportMenu({ name, pairs, tasks, markdown }: ComparisonTexts) {
  return (
    <Menu icon={<Download aria-hidden size={14} />} label="Export">
      <p className="max-w-52 text-muted text-xs">The rows and pairs as shown, with exact values.</p>
      <Button onClick={() => downloadText(`${name}-pairs.csv`, 'text/csv', pairs)}>
        Pairs, CSV
      </Button>
      <Button onClick={() => downloadText(`${name}-tasks.csv`, 'text/csv', tasks)}>
        Tasks, CSV
      </Button>
      <Button onClick={() => downloadText(`${name}.md`, 'text/markdown', markdown)}>
        Markdown
      </Button>
    </Menu>
  )
}
