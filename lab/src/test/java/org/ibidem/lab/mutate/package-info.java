/// `./ibidem lab mutate`: changes one instruction of a class at a time and looks whether its tests
/// notice. For people who have changed a class and want to know what its tests see; not for CI.
package org.ibidem.lab.mutate;
