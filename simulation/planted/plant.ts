/** Plants the fault that PLANTED_FAULT names, before anything is loaded: `node --import …/plant.js`. */
import { registerHooks } from 'node:module';
import { PLANTED_FAULTS } from './faults.js';

const wanted = process.env['PLANTED_FAULT'];
const fault = PLANTED_FAULTS.find(({ name }) => name === wanted);
if (!fault) throw new Error(`no planted fault is called ${wanted}`);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(`/dist/${fault.file}`)) return loaded;
    const source = Buffer.from(loaded.source as Uint8Array).toString();
    if (source.split(fault.find).length !== 2)
      throw new Error(`${fault.name}: "${fault.find}" does not stand once in ${fault.file}`);
    return { ...loaded, source: source.replace(fault.find, () => fault.put) };
  },
});
