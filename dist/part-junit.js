export{t as renderJunit}from"./part-junit2.js";
