import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { applyChanges } from '../repository/overlay.ts'

/** Plants files that would configure a test runner, and a forbidden link to a place outside; returns what it did. */
export async function cheatTree(taskId: string, workspace: string): Promise<string> {
  const exit = Buffer.from('import os\nos._exit(0)\n')
  const files = ['conftest.py', 'sitecustomize.py'].map((path) => ({ path, bytes: exit }))
  const script = Buffer.from('{"scripts":{"test":"true"}}\n')
  const all = [...files, { path: 'package.json', bytes: script }]
  await applyChanges(
    workspace,
    all.map((file) => ({ ...file, executable: false })),
  )
  await symlink('/etc/passwd', join(workspace, 'linked'))
  return `steers the test runner of ${taskId}, and links out of the tree`
}
