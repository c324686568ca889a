import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { callApp, type Running, type ThirdPartyApp } from './third-party-app.ts'

/** Nodes that reach outside the app: programs, files, the network. No workflow may need them. */
const REACHES_OUT = [
  '90-exec.js',
  '10-file.js',
  '23-watch.js',
  '05-tls.js',
  '06-httpproxy.js',
  '10-mqtt.js',
  '21-httpin.js',
  '21-httprequest.js',
  '22-websocket.js',
  '31-tcpin.js',
  '32-udp.js',
]

const JSON_CALL = { 'content-type': 'application/json', 'node-red-deployment-type': 'full' }

/** The initial flow of a Node-RED instance: a sensor and a log, not wired yet. */
export const GREENHOUSE = [
  { id: 'a1f0c0de00000001', type: 'tab', label: 'Greenhouse', disabled: false, info: '', env: [] },
  {
    id: 'a1f0c0de00000002',
    type: 'inject',
    z: 'a1f0c0de00000001',
    name: 'Sensor reading',
    props: [{ p: 'payload' }, { p: 'topic', vt: 'str' }],
    repeat: '',
    crontab: '',
    once: false,
    onceDelay: 0.1,
    topic: 'bench-3',
    payload: '21.5',
    payloadType: 'num',
    x: 160,
    y: 100,
    wires: [[]],
  },
  {
    id: 'a1f0c0de00000003',
    type: 'debug',
    z: 'a1f0c0de00000001',
    name: 'Log',
    active: true,
    tosidebar: true,
    console: false,
    tostatus: false,
    complete: 'payload',
    targetType: 'msg',
    statusVal: '',
    statusType: 'auto',
    x: 160,
    y: 420,
    wires: [],
  },
]

/** Node-RED: flows are drawn, wired and deployed. Its state is the response to `GET /flows`. */
export const nodeRed: ThirdPartyApp = {
  name: 'node-red',
  package: 'node-red',
  seed: GREENHOUSE,
  adapterVersion: 1,
  entry: 'red.js',
  prepare: async (folder, entry, freePort) => {
    const settings = {
      uiPort: freePort,
      uiHost: '127.0.0.1',
      flowFile: 'flows.json',
      credentialSecret: false,
      nodesExcludes: REACHES_OUT,
      functionExternalModules: false,
      externalModules: { autoInstall: false, palette: { allowInstall: false, allowUpload: false } },
      telemetry: { enabled: false, updateNotification: false },
      diagnostics: { enabled: false, ui: false },
      editorTheme: {
        tours: false,
        projects: { enabled: false },
        palette: { catalogues: [] },
        // The lighter of the two code editors: no workflow writes code, and the other keeps a page busy for seconds.
        codeEditor: { lib: 'ace' },
      },
    }
    const path = join(folder, 'settings.cjs')
    await writeFile(path, `module.exports = ${JSON.stringify(settings, null, 2)}\n`)
    await writeFile(join(folder, 'flows.json'), JSON.stringify(GREENHOUSE))
    // Printed in either order.
    const awaited = new Set(['Started flows', 'Server now running'])
    return {
      args: [entry, '--settings', path, '--userDir', folder],
      env: {},
      readPort: (line) => {
        for (const words of awaited) if (line.includes(words)) awaited.delete(words)
        return awaited.size === 0 ? freePort : null
      },
    }
  },
  reset: async (running) => {
    const known: Record<string, unknown> = await (await callApp(running, '/settings/user')).json()
    const nothing = Object.fromEntries(Object.keys(known).map((key) => [key, null]))
    if (Object.keys(known).length > 0) await post(running, '/settings/user', nothing)
    await post(running, '/flows', [])
    await post(running, '/flows', GREENHOUSE)
  },
  probe: async (running) => {
    const paths = ['flows', 'settings/user', 'context/global', 'library/local/flows']
    return Promise.all(paths.map(async (path) => (await callApp(running, `/${path}`)).json()))
  },
  state: async (running) => describeFlows(await readFlows(running)),
}

type FlowNode = { id: string; type: string; wires?: string[][] } & Record<string, unknown>

async function readFlows(running: Running): Promise<FlowNode[]> {
  return (await callApp(running, '/flows')).json()
}

/**
 * `nodes` lists the nodes that each node's outputs lead to by name, since the editor draws the ids; `flows` is the
 * deployed document itself.
 */
function describeFlows(flows: FlowNode[]) {
  const nameOf = (id: string) => {
    const node = flows.find((one) => one.id === id)
    return node === undefined ? `nothing (${id})` : nameNode(node)
  }
  const nodes = flows
    .filter(({ wires }) => wires !== undefined)
    .map(({ x: _x, y: _y, id: _id, z, wires = [], ...rest }) => ({
      ...rest,
      tab: typeof z === 'string' ? (flows.find(({ id }) => id === z)?.label ?? null) : null,
      leadsTo: wires.map((output) => output.map(nameOf).sort()),
    }))
  const others = flows.filter(({ wires }) => wires === undefined).map(({ id: _, ...rest }) => rest)
  return { nodes, others, flows }
}

function nameNode({ name, type }: FlowNode) {
  return typeof name === 'string' && name !== '' ? name : type
}

function post(running: Running, path: string, body: unknown) {
  return callApp(running, path, { method: 'POST', headers: JSON_CALL, body: JSON.stringify(body) })
}
