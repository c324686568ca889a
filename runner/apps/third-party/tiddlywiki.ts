import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { callApp, type Running, type ThirdPartyApp } from './third-party-app.ts'

type Tiddler = { title: string; text?: string; tags?: string } & Record<string, unknown>

const OWN_HEADERS = { 'x-requested-with': 'TiddlyWiki', 'content-type': 'application/json' }

/** Every tiddler that is really there, not only those of plug-ins and not what the server makes of itself. */
const EVERYTHING = '[all[tiddlers]!is[shadow]!plugin-type[plugin]!plugin-type[theme]]'

const note = (title: string, tags: string, text: string) => ({
  title,
  tags,
  text,
  created: '20260214091500000',
  modified: '20260214091500000',
})

/** Initial contents of the wiki of an allotment. */
const ALLOTMENT = [
  { title: '$:/SiteTitle', text: 'Allotment notes' },
  { title: '$:/SiteSubtitle', text: 'plot 14, by the railway' },
  { title: '$:/DefaultTiddlers', text: 'Welcome [[Broad beans]]' },
  // Lets the harness request all tiddlers; the server refuses filters that are not declared.
  { title: `$:/config/Server/ExternalFilters/${EVERYTHING}`, text: 'yes' },
  note(
    'Welcome',
    '',
    'Notes of plot 14. Start with [[Broad beans]], [[Seed order]] or [[Compost]].',
  ),
  note('Broad beans', 'crop spring', 'Sown on 14 February below fleece, 20 cm apart.'),
  note('Compost', 'soil', 'Bay 2 was turned; bay 1 is ready for the potatoes.'),
  note('Seed order', 'planning', "* parsnip 'Gladiator'\n* beetroot 'Boltardy'"),
  note('Potatoes', 'crop planning', 'Chitting since 20 February in the shed.'),
]

/** TiddlyWiki with its own Node server, which keeps every note as a file. Its state is what its HTTP API lists. */
export const tiddlywiki: ThirdPartyApp = {
  name: 'tiddlywiki',
  package: 'tiddlywiki',
  seed: ALLOTMENT,
  adapterVersion: 1,
  entry: 'tiddlywiki.js',
  prepare: async (folder, entry) => {
    const info = {
      plugins: ['tiddlywiki/tiddlyweb', 'tiddlywiki/filesystem'],
      themes: ['tiddlywiki/vanilla', 'tiddlywiki/snowwhite'],
    }
    await writeFile(join(folder, 'tiddlywiki.info'), JSON.stringify(info))
    await mkdir(join(folder, 'tiddlers'))
    // The array's names are its own: files are called as the app itself would call them.
    await writeFile(join(folder, 'tiddlers', 'seed.json'), JSON.stringify(ALLOTMENT))
    return {
      args: [entry, folder, '--listen', 'host=127.0.0.1', 'port=0', 'anon-username=Wren'],
      env: {},
      readPort: (line) => {
        const port = /Serving on http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1]
        return port === undefined ? null : Number(port)
      },
    }
  },
  reset: async (running) => {
    const seeded = new Set(ALLOTMENT.map(({ title }) => title))
    for (const { title } of await readTiddlers(running))
      if (!seeded.has(title))
        await callApp(running, `/bags/default/tiddlers/${encodeURIComponent(title)}`, {
          method: 'DELETE',
          headers: OWN_HEADERS,
        })
    for (const tiddler of ALLOTMENT) await put(running, tiddler)
  },
  // The story list is which notes are open; the server makes one of its own whenever none is there.
  probe: async (running) =>
    (await readTiddlers(running)).filter(({ title }) => title !== '$:/StoryList'),
  state: async (running) => describeNotes(await readTiddlers(running)),
}

async function readTiddlers(running: Running): Promise<Tiddler[]> {
  const filter = encodeURIComponent(EVERYTHING)
  const path = `/recipes/default/tiddlers.json?filter=${filter}&exclude=bag`
  const tiddlers: Tiddler[] = await (await callApp(running, path)).json()
  // The revision counts up for as long as the server runs and says nothing about the note.
  return tiddlers
    .map(({ revision: _, ...tiddler }) => tiddler as Tiddler)
    .sort((a, b) => (a.title < b.title ? -1 : 1))
}

async function put(running: Running, { title, tags, text, ...fields }: Tiddler) {
  const body = JSON.stringify({ title, tags: tags ?? '', text: text ?? '', fields })
  const path = `/recipes/default/tiddlers/${encodeURIComponent(title)}`
  await callApp(running, path, { method: 'PUT', headers: OWN_HEADERS, body })
}

/** `notes` are what a reader of the wiki sees; `drafts` the titles of what is still being written; `changed` the notes that are not as seeded. */
function describeNotes(tiddlers: readonly Tiddler[]) {
  const own = tiddlers.filter(({ title }) => !title.startsWith('$:/'))
  const notes = own.filter((one) => one['draft.of'] === undefined).map(describeNote)
  const seeded = new Map<string, string>(
    ALLOTMENT.map((one) => [one.title, JSON.stringify(describeNote(one))]),
  )
  const titles = new Set(notes.map(({ title }) => title))
  return {
    notes,
    drafts: own.filter((one) => one['draft.of'] !== undefined).map(({ title }) => title),
    changed: notes.filter((note) => seeded.get(note.title) !== JSON.stringify(note)),
    gone: [...seeded.keys()].filter((title) => !title.startsWith('$:/') && !titles.has(title)),
  }
}

function describeNote({ title, text = '', tags = '', type }: Tiddler) {
  const list = [...tags.matchAll(/\[\[(.+?)\]\]|(\S+)/g)].map(([, long, short]) => long ?? short)
  return { title, tags: list.sort(), text, type: type ?? 'text/vnd.tiddlywiki' }
}
