export{n as run}from"./part-run.js";
