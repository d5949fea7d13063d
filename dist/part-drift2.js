export{t as PENDING_DIR,n as drift}from"./part-drift3.js";
