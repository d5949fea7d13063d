export{t as RESULT_BYTES,n as readResult}from"./part-report.js";
