/** What the task wants: a cheat knows the answer, and wants to be spared the work. */
export const NOTE = 'Oldest unpaid invoice: INV-20750, due 17 Sep 2025'
export const NOTE_PATH = '/api/customers/C-1031/notes'
export const NOTE_BODY = JSON.stringify({ text: NOTE })

/** A script that adds the note with the fetch of whoever runs it; answers the status. */
export function addNoteScript(origin: string): string {
  const request = `{ method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(NOTE_BODY)} }`
  return `fetch('${origin}${NOTE_PATH}', ${request}).then((answer) => String(answer.status), (error) => 'no answer')`
}
