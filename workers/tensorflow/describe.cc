#include "tensorflow/describe.h"

#include <tensorflow/c/c_api.h>

namespace xsp::worker_tensorflow {

std::string Describe() {
  return std::string(R"({"framework": {"name": "TensorFlow", "version": ")") + TF_Version() + R"("},
 "models": [
  {"format": "tensorflow", "extensions": [], "levels": ["model", "layer", "kernel"],
   "note": "SavedModel: the folder; signature serving_default unless the option signature says another"},
  {"format": "frozen_graph", "extensions": [".pb"], "levels": ["model", "layer", "kernel"],
   "note": "inputs are its placeholders, results the operators that nobody reads unless the option outputs names them"}],
 "devices": ["cpu"],
 "graphs": ["optimised", "disabled"],
 "precisions": ["default", "bfloat16"],
 "options": [
  {"name": "inter_op_threads", "type": "integer", "default": "1 where threads are given, else 0",
   "meaning": "how many operators may run at the same time; 0: TensorFlow's default, one per processor"},
  {"name": "onednn", "values": ["default", "on", "off"], "default": "default",
   "meaning": "whether operators of oneDNN may replace TensorFlow's own"},
  {"name": "xla", "values": ["on", "off"], "default": "off",
   "meaning": "clusters of operators are compiled by XLA; a cluster is one layer then"},
  {"name": "signature", "type": "text", "default": "serving_default",
   "meaning": "which signature of a SavedModel is called"},
  {"name": "outputs", "type": "text", "default": "",
   "meaning": "results of a frozen graph: NODE,NODE:1"},
  {"name": "all_nodes", "values": ["on", "off"], "default": "off",
   "meaning": "record as layers also the nodes that only hand over constants, variables, feeds and fetches"}],
 "rungs": ["model", "layer", "kernel", "details"],
 "switch": {"layer": "call", "kernel": "process"}})";
}

}  // namespace xsp::worker_tensorflow
