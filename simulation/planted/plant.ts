/** Plants the fault that PLANTED_FAULT names, before anything is loaded: `node --import …/plant.js`. */
import module from 'node:module';
import { CAN_PLANT, offer, plantIn } from './fault.js';
import { PLANTED_FAULTS } from './faults.js';

const wanted = process.env['PLANTED_FAULT'];
const fault = PLANTED_FAULTS.find(({ name }) => name === wanted);
if (!fault) throw new Error(`no planted fault is called ${wanted}`);
if (!CAN_PLANT) throw new Error('this Node cannot change what it loads');

offer(fault);
module.registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(`/dist/src/${fault.module}.js`)) return loaded;
    return { ...loaded, source: plantIn(Buffer.from(loaded.source as Uint8Array).toString(), fault) };
  },
});
