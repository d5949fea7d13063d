export{n as driftCommand}from"./part-drift-args.js";
