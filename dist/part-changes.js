export{t as renderChanges}from"./part-changes2.js";
