export{t as redact}from"./part-redact2.js";
